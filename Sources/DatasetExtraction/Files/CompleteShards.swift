import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Synchronization

/// The shards of a run, all of which are done, and where the clips are in them.
struct CompleteShards {
    let contents: ShardContents
    let index: SpoolIndex
    /// What the files say of the machines that computed them, in words; nil: they are of one kind.
    let mixed: String?

    private static let maximumNamed = 10
    private static let blockSize = 4096

    /// Finds the shards, and each clip in them.
    ///
    /// - Throws: `ExtractionError.missingShards`, `.shardOfOtherRun`, `.otherMachines`, `.missingClips`; `StorageError`.
    /// - Complexity: Reads the summaries of all shards.
    init(of extraction: Extraction, _ cancellation: Cancellation) throws {
        let folders = ShardFolders(output: extraction.options.output)
        let done = try folders.contents().filter { !$0.isAttempt }
        guard let count = done.first?.shard.count else {
            throw ExtractionError.missingShards(folder: folders.path, numbers: [], missing: 0, count: nil)
        }
        if let other = done.first(where: { $0.shard.count != count }) {
            throw ExtractionError.otherShards(folder: folders.path, found: other.shard.count, wanted: count)
        }
        let known = Set(done.map(\.shard.number))
        let missing = (1...count).lazy.filter { !known.contains($0) }
        guard missing.isEmpty else {
            throw ExtractionError.missingShards(
                folder: folders.path, numbers: Array(missing.prefix(Self.maximumNamed)), missing: count - known.count,
                count: count)
        }
        let identity = Provenance(extraction)
        for shard in done { try extraction.checkShard(shard.folder, identity) }
        mixed = try Self.mixture(of: done.map(\.folder), extraction)
        let contents = try ShardContents(done.map(\.folder), in: folders.path)
        let index = SpoolIndex(clips: extraction.source.clipCount)
        _ = try WorkerPool.map(contents.fileCount, jobs: extraction.options.jobs, worker: {}) { _, file in
            try cancellation.check()
            try contents.scan(file: file) { index.note($0) }
        }
        guard index.done == extraction.source.clipCount else {
            throw ExtractionError.missingClips(folder: folders.path, count: extraction.source.clipCount - index.done)
        }
        (self.contents, self.index) = (contents, index)
    }

    /// How the machines of some shards differ from that of the first: the same in all files, whatever machine writes them.
    ///
    /// - Throws: `ExtractionError.otherMachines` if they differ, and that is not allowed; `StorageError`.
    private static func mixture(of folders: [String], _ extraction: Extraction) throws -> String? {
        var unknown = MachineComparison(extraction.plan, here: .unknown)
        guard let first = folders.first, let machine = try unknown.record(of: first).machines.first else { return nil }
        var comparison = MachineComparison(extraction.plan, here: machine.traits)
        let others = try comparison.others(among: folders)
        guard others.isEmpty || extraction.options.allowsMixed else {
            throw ExtractionError.otherMachines(others, first: first)
        }
        return OtherMachine.mixture(of: others)
    }

    /// Makes sure that the recordings of some clips have the size and time that they had when their shard was computed.
    ///
    /// - Throws: `ExtractionError.staleShards`; `ManifestError`, `StorageError`.
    func checkRecordings(of clips: any ClipReader, _ extraction: Extraction, _ cancellation: Cancellation) throws {
        let keepsMissing = extraction.options.keepMissing
        let stale = Mutex<(count: Int, first: (clip: Int, path: String)?)>((0, nil))
        while case let block = try clips.next(Self.blockSize), !block.isEmpty {
            try WorkerPool.each(block.count, extraction.options.workers) {
                (reader: contents.reader(), check: RecordingCheck(extraction, samples: false))
            } _: { worker, number in
                try cancellation.check()
                let clip = block[number]
                guard let done = try SpooledRecording(index[clip.index], worker.reader) else { return }
                let state = try worker.check.state(of: clip, since: done.known)
                guard state == .changed || state == .missing && !keepsMissing else { return }
                stale.withLock {
                    $0.count += 1
                    if $0.first.map({ clip.index < $0.clip }) ?? true { $0.first = (clip.index, clip.path) }
                }
            }
        }
        let (count, first) = stale.withLock { $0 }
        if let first {
            throw ExtractionError.staleShards(folder: contents.folder, count: count, path: first.path)
        }
    }
}
