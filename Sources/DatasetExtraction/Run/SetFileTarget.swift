import ClipSpool
import Concurrency
import Essentials
import FeatureStorage
import FileIO
import Manifests
import Platform

/// One file of a set, of clips that are all in shards. Whoever finds all files there writes the index.
final class SetFileTarget: RunTarget {
    private let extraction: Extraction
    private let setFile: SetFile
    private let folders: ShardFolders
    private let paths: FeatureSetPaths
    private let path: String
    private var output: TaskOutput
    private let start = ContinuousClock.now
    var plan: RunPlan
    private var shards: CompleteShards?
    /// Whether the file was there, and this machine sees it now: until then, it may be missing only here.
    private var (wasDone, isWritten) = (true, false)
    private var isSet = false
    /// Whether the recordings are being compared with a set that is there.
    private var isComparing = false
    /// Why the files do not form a set although all are there.
    private var obstacle: SetObstacle?

    init(_ setFile: SetFile, of extraction: Extraction) {
        (self.setFile, self.extraction) = (setFile, extraction)
        folders = ShardFolders(output: extraction.options.output)
        paths = FeatureSetPaths(output: extraction.options.output)
        path = paths.file(setFile.number, of: setFile.count)
        output = TaskOutput(extraction, paths: [paths.index])
        plan = RunPlan(
            extraction, ledger: 0, part: .range(setFile.clips(of: extraction.source.clipCount)))
    }

    private var options: ExtractionOptions { extraction.options }
    private var clips: Range<Int> { setFile.clips(of: extraction.source.clipCount) }

    func begin() throws { try output.begin() }

    func admit(_ cancellation: Cancellation) throws {
        if let index = try output.own() {
            guard output.isRun else { return plan.output = .comparable }
            // Whoever deletes shards, or makes new ones, has to know of all clips.
            let isWhole = try options.overwrite || !folders.contents().isEmpty
            isComparing = true
            isSet = try output.isUnchanged(index, isWhole ? .all : plan.part, cancellation)
            isComparing = false
            guard !isSet else { return plan.output = .upToDate }
        }
        let shards = try CompleteShards(of: extraction, cancellation)
        if FileStamp(path: path) != .absent {
            try ExistingOutput.checkFile(path, extraction, options, shards.mixed)
            plan.output = .comparable
        }
        try shards.checkRecordings(of: try ForwardClips(extraction.source).clips(clips), extraction, cancellation)
        self.shards = shards
        plan.index = shards.index
    }

    func open(_ cancellation: Cancellation) -> Workplace { Workplace() }

    func assemble(_ progress: ExtractionProgress, _ cancellation: Cancellation) throws {
        guard let shards else { return }
        progress.start(.assembling)
        let assembler = Assembler(
            extraction: extraction, spool: shards.contents, index: shards.index, mixed: shards.mixed, existing: .absent,
            progress: progress, cancellation: cancellation)
        let sums = try assembler.sums()
        wasDone = try !assembler.write(
            setFile, sums, temporary: folders.newFile(), checked: try ForwardClips(extraction.source),
            written: try ForwardClips(extraction.source))
        isWritten = true
        (isSet, obstacle) = try completeSet { setFile, clips in
            try assembler.isWritten(setFile, clips, sums, readsRows: false)
        }
    }

    func summary(_ progress: ExtractionProgress) throws -> SetFileSummary {
        var left = LeftShards()
        // A file that is open cannot be deleted from every file server.
        shards = nil
        if isSet {
            // Whoever completed it may have been killed before it deleted what is not needed any more.
            ReplacedSet(paths).removeFiles()
            left = extraction.removeOwnShards()
        }
        progress.start(.finished)
        let file = try FeatureReader(path: path)
        return SetFileSummary(
            setFile: setFile, path: path, wasDone: wasDone, clips: file.clipCount, failures: file.failureCount,
            rows: file.rows, bytes: Int(max(FileStamp(path: path).byteCount, 0)), index: isSet ? paths.index : nil,
            obstacle: obstacle, warning: left.warning,
            elapsedSeconds: start.duration(to: .now) / .seconds(1), account: try file.accountOfRecordings())
    }

    func end(
        after error: any Error, _ progress: ExtractionProgress, _ cancellation: Cancellation
    ) throws -> SetFileSummary {
        guard !cancellation.isCancelled, !isComparing else { throw folders.cause(of: error) }
        // The task that completes the set deletes the shards, and with them what this attempt was reading and writing. An index
        // that this attempt has written does not count if its name could not be synced to the disk.
        let isOfShards = (error as? StorageError).map { folders.contains($0.path) } ?? false
        guard !isWritten || !error.isSystemFault || isOfShards, (try? output.own()) != nil else {
            throw folders.cause(of: error)
        }
        isSet = true
        return try summary(progress)
    }

    func close() {}

    /// Writes the index if all files are there.
    ///
    /// - Returns: Whether all are, and what keeps them from being a set.
    private func completeSet(
        isOwn: (SetFile, ForwardClips) throws -> Bool
    ) throws -> (isSet: Bool, obstacle: SetObstacle?) {
        let (count, source) = (setFile.count, extraction.source)
        // A network file system may remember for a while that a name was missing. Listing its folder makes it look again.
        _ = try? DirectoryListing.names(in: Folder.containing(options.output))
        guard (1...count).allSatisfy({ FileStamp(path: paths.file($0, of: count)) != .absent }) else {
            return (false, nil)
        }
        if let obstacle = try otherFile(count, isOwn) { return (false, obstacle) }
        let index: FeatureSetIndex
        do throws(StorageError) { index = try FeatureSetIndex(files: count, paths) } catch {
            guard !error.isSystemFault else { throw error }
            // There is no index yet that names it.
            return (false, .storage(error))
        }
        guard index.manifestChecksum == source.sha256, index.clips + index.failures == source.clipCount else {
            return (false, .clips(index.clips + index.failures, wanted: source.clipCount))
        }
        let before = try? FeatureSetIndex(path: paths.index)
        if before != index {
            let temporary = ShardFolders(output: options.output).newFile()
            do { try ReplacedSet(paths).replace(before, by: index, temporary: temporary) } catch {
                unlink(temporary)
                throw error
            }
        }
        return (true, nil)
    }

    /// The first file of a set that this run would not have written; nil: there is none.
    private func otherFile(
        _ count: Int, _ isOwn: (SetFile, ForwardClips) throws -> Bool
    ) throws -> SetObstacle? {
        let clips = try ForwardClips(extraction.source)
        for (number, other) in zip(1..., SetFile.all(count)) where number != setFile.number {
            let path = paths.file(number, of: count)
            let found = try ExistingOutput.difference(at: path, unreadable: { error, _ in .unreadable(error) }) {
                file in
                try OutputDifference(extraction.sourceDifferences(file), follows: false)
                    ?? (isOwn(other, clips) ? nil : .otherClips)
            }
            guard let found else { continue }
            return .otherFile(path: path, found, number: number, count: count)
        }
        return nil
    }
}
