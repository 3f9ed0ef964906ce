import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import Foundation
import Synchronization

/// The folders that belong to a run: the one beside the output, which is its lock, and the one that finished clips are
/// in, which is the same unless there is a scratch folder.
///
/// Held until the value goes; what is in them stays until `remove`.
final class RunFolders {
    /// The folder beside the output.
    let output: Spool
    /// The folder with the clips.
    let clips: Spool
    /// What an interrupted run has left in another folder, and is thrown away.
    private let elsewhere: Spool?
    private let jobs: Int

    /// Makes and locks the folders.
    ///
    /// - Throws: `StorageError.busy` where another run holds the output, `ExtractionError.clipsElsewhere` where an
    ///   interrupted run has kept its clips in another folder and `fresh` is false, `.interruptedRecording`, or others.
    init(_ options: ExtractionOptions) throws {
        jobs = max(options.jobs, 1)
        if let scratch = options.scratch { try OutputFolder.check(scratch + "/spool") }
        output = try Spool(folder: options.outputFolder)
        do {
            if !options.fresh { try Self.checkNoRecording(in: output.folder, of: options.output) }
            guard output.isBesideOutput else {
                throw ExtractionError.unwritableFolder(
                    path: output.folder,
                    reason:
                        "it is on another file system than the output, which is put together there and then renamed; "
                        + "--scratch keeps finished clips elsewhere")
            }
            let wanted = OutputFolder.absolute(options.spoolFolder)
            let beside = OutputFolder.absolute(options.outputFolder)
            let kept = try output.pointer() ?? (output.identity() == nil || !output.hasClips ? nil : beside)
            if let kept, kept != wanted {
                guard options.fresh else {
                    throw ExtractionError.clipsElsewhere(
                        kept: kept, isBesideOutput: kept == beside,
                        exists: FileManager.default.fileExists(atPath: kept))
                }
                elsewhere =
                    kept != beside && FileManager.default.fileExists(atPath: kept) ? try Spool(folder: kept) : nil
            } else {
                elsewhere = nil
            }
            clips = wanted == beside ? output : try Spool(folder: options.spoolFolder)
            // A folder that is there again, but empty, is as good as gone: a disk that is not mounted looks like that.
            if !options.fresh, kept != nil, kept != beside, try clips.identity() == nil {
                throw ExtractionError.clipsElsewhere(kept: wanted, isBesideOutput: false, exists: false)
            }
        } catch {
            // Only what is known to hold nothing: a pointer that cannot be read at the moment is still one.
            let isEmpty = (try? output.isEmpty) ?? false
            if isEmpty { try? output.remove() }
            throw error
        }
    }

    /// Makes sure that a folder holds no live recording that was interrupted before its file was complete.
    ///
    /// - Throws: `ExtractionError.interruptedRecording`.
    static func checkNoRecording(in folder: String, of output: String) throws(ExtractionError) {
        guard !Spool.hasLive(folder: folder) else { throw .interruptedRecording(output: output, seconds: nil) }
    }

    /// Whether the clips are not beside the output.
    private var isScratch: Bool { clips !== output }

    /// Begins anew, for the run of this identity.
    ///
    /// - Throws: `StorageError.system`.
    func begin(_ identity: RunIdentity) throws(StorageError) {
        try elsewhere?.remove()
        try output.clear()
        try clips.begin(identity: identity.json)
        // Before any clip: those that no pointer leads to would be missed by nobody.
        if isScratch { try output.point(to: OutputFolder.absolute(clips.folder)) }
    }

    /// Lets another run have the folders. The value itself may live a moment longer, in threads that are just ending.
    func unlock() {
        clips.unlock()
        output.unlock()
    }

    /// Deletes everything. That a folder cannot be deleted, such as one with someone's file in it, is no reason to fail.
    func remove() {
        // The pointer goes first: clips that are there without one are found by the same command.
        if isScratch { try? output.clear() }
        let files = (try? clips.abandon()) ?? []
        let spool = clips
        let next = Atomic(0)
        try? WorkerPool.run(min(files.count, jobs)) { _ in
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < files.count else { return }
                spool.delete(files[number])
            }
        }
        try? output.clear()
        if isScratch { try? clips.remove() }
        try? output.remove()
    }
}
