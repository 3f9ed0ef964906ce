import ClipSpool
import Concurrency
import Essentials
import FeatureModel
import FeatureStorage
import FileIO

/// The folders of a run: the one next to the output, which locks the output, and the one with finished clips, which is the same
/// unless there is a scratch folder.
///
/// Locked for as long as the value lives; their files are kept until `remove`.
final class RunFolders {
    /// The folder next to the output.
    let output: Spool
    /// The folder with the clips, once `prepare` has returned; until then the one next to the output.
    private(set) var clips: Spool
    private let options: ExtractionOptions

    /// Makes the folder next to the output, if there is none, and locks it.
    ///
    /// - Throws: `StorageError.busy` if another run holds the output, and others.
    init(_ options: ExtractionOptions) throws {
        self.options = options
        if let scratch = options.scratch { try OutputFolder.check(scratch + "/spool") }
        output = try Spool(folder: options.outputFolder)
        clips = output
    }

    /// What is in the folder with the clips of an interrupted run; nil: there is none. Changes nothing on the disk.
    ///
    /// - Parameters:
    ///   - isHeld: Whether the caller has locked the folder next to the output.
    ///   - takesShards: Whether the clips of shards count as well.
    /// - Throws: `ExtractionError.clipsElsewhere` if an interrupted run kept its clips in another folder and `fresh` is
    ///   false, `.interruptedRecording`, `.unwritableFolder`; `StorageError.busy` and others.
    static func contents(
        _ options: ExtractionOptions, isHeld: Bool, takesShards: Bool = true
    ) throws -> SpoolContents? {
        if !options.fresh, Spool.hasLive(folder: options.outputFolder) {
            throw ExtractionError.interruptedRecording(output: options.output, seconds: nil)
        }
        let shards = takesShards ? try ShardFolders(output: options.output).usable() : []
        let output = try SpoolContents(folder: options.outputFolder, isHeld: isHeld)
        guard output?.isBesideOutput ?? true else {
            throw ExtractionError.otherFileSystem(folder: options.outputFolder)
        }
        let wanted = OutputFolder.absolute(options.spoolFolder)
        let beside = OutputFolder.absolute(options.outputFolder)
        let hasOwn = output.map { $0.identity != nil && $0.hasClips } ?? false
        let kept = output?.pointer ?? (hasOwn ? beside : nil)
        if let kept, kept != wanted {
            guard options.fresh else {
                throw ExtractionError.clipsElsewhere(
                    kept: kept, isBesideOutput: kept == beside, exists: FileManager.default.fileExists(atPath: kept))
            }
            return kept == beside ? output : try SpoolContents(folder: kept, shards: shards)
        }
        let clips = try SpoolContents(folder: options.spoolFolder, isHeld: isHeld || wanted == beside, shards: shards)
        // An empty folder counts as missing: a disk that is not mounted looks like that.
        if !options.fresh, kept != nil, kept != beside, clips?.identity == nil {
            throw ExtractionError.clipsElsewhere(kept: wanted, isBesideOutput: false, exists: false)
        }
        return clips
    }

    /// Locks the folder with the clips, and makes it if there is none.
    ///
    /// - Throws: `StorageError`.
    func openClips() throws(StorageError) {
        guard clips === output, OutputFolder.absolute(options.spoolFolder) != OutputFolder.absolute(output.folder)
        else {
            return
        }
        clips = try Spool(folder: options.spoolFolder)
    }

    /// Whether the clips are in a scratch folder.
    private var isScratch: Bool { clips !== output }

    /// Deletes everything that the plan does not use.
    ///
    /// - Throws: `StorageError.system`.
    func prepare(for plan: RunPlan) throws(StorageError) {
        if let resumed = plan.resumed {
            // Shards alone leave nothing in the run's own folder.
            if resumed.contents.identity == nil {
                try start(plan.identity, discarding: nil, machines: plan.machines?.record)
            } else if let record = plan.machines?.record {
                try clips.write(record.spoolText, to: .machines)
            }
            clips.resume(resumed.contents, resumed.extent)
            return try clips.withdraw(resumed.withdrawn)
        }
        try start(plan.identity, discarding: plan.discarded)
    }

    /// Starts without any clips.
    ///
    /// - Parameters:
    ///   - discarded: What an interrupted run left.
    ///   - machines: What computes its clips; nil: that is not noted.
    /// - Throws: `StorageError.system`.
    func start(
        _ identity: Provenance, discarding discarded: SpoolContents?, machines: MachineRecord? = nil
    ) throws(StorageError) {
        if let folder = discarded?.folder, ![output.folder, clips.folder].contains(folder) {
            try Spool(folder: folder).remove()
        }
        try output.clear()
        try clips.start(identity: identity.spoolText, machines: machines?.spoolText)
        // Before any clip: without a pointer, clips in another folder would not be found.
        if isScratch { try output.write(OutputFolder.absolute(clips.folder), to: .pointer) }
    }

    /// Deletes the folders, unless they have clips or say where clips are.
    func removeIfEmpty() {
        guard clips === output else {
            if !clips.hasClips { remove() }
            return
        }
        // What cannot be read at the moment may be a pointer.
        guard let contents = try? output.contents(), !contents.hasClips, contents.pointer == nil else { return }
        remove()
    }

    /// Releases the folders to other runs. The value itself may live a moment longer, in threads that are ending.
    func unlock() {
        clips.unlock()
        output.unlock()
    }

    /// Deletes everything. If a folder cannot be deleted, for instance because it holds other files, it is kept.
    func remove() {
        // The pointer goes first: the same command finds clips without one.
        if isScratch { try? output.clear() }
        let files = (try? clips.abandon()) ?? []
        let spool = clips
        try? WorkerPool.each(files.count, jobs: options.jobs) {
        } _: { _, range in
            for number in range { spool.delete(files[number]) }
        }
        try? output.clear()
        if isScratch { try? clips.remove() }
        try? output.remove()
    }
}
