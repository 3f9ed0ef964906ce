import AudioDecoding
import Checksums
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing
import Synchronization

/// What an interrupted run has left, taken up by a run that goes on with it.
struct ResumedRun {
    /// Clips that need not be read again, failed ones included.
    private(set) var done: Int
    /// The failed ones among them.
    let failed: Int
    /// Seconds of audio in those that have not failed.
    private(set) var seconds: Double
    /// Paths of clips that had been done and are read again, since their recordings have changed: the first few.
    let changed: [String]
    /// How many there are of those.
    let changedCount: Int
    /// Clips that are kept although their recordings are not there any more.
    let missing: Int
    /// Files of the spool that are damaged: what stands behind the damage is read again.
    let damaged: [String]
    /// Clips that could not be opened then, and are tried again.
    let retried: Int
    /// Clips whose rows are gone: most often they have become a feature file, and the run was killed before it could say so.
    private(set) var rowless: [(clip: Int, position: SpoolPosition)]
    /// Seconds of audio in those.
    private let rowlessSeconds: Double
    /// How many clips are read again since their rows are gone.
    private(set) var lost = 0

    private static let blockSize = 4096
    private static let maximumNamed = 5

    /// Notes in `index` what `spool` has of a manifest's clips.
    ///
    /// A clip counts if size and time of its recording are what they were when it was read, and with `verifyInputs` if
    /// its samples are, too; of the others nothing is left afterwards. Clips that could not be opened are tried again.
    ///
    /// - Throws: `ExtractionError.missingRecordings` where recordings of clips that are done are not there any more and
    ///   `keepMissing` is false;
    ///   `StorageError`, `ManifestError` or `ExtractionError.cancelled`.
    static func takeUp(
        _ spool: Spool, manifest: Manifest, plan: FeaturePlan, options: ExtractionOptions, index: SpoolIndex,
        cancellation: Cancellation
    ) throws -> ResumedRun {
        let damaged = try spool.scan { index.note($0, clips: manifest.clipCount) }
        let tally = Mutex(Tally())
        let hasRows = spool.hasRows
        let clips = try manifest.reader()
        while true {
            try cancellation.check()
            var block: [Clip] = []
            var isEnd = false
            while block.count < blockSize, !isEnd {
                guard let clip = try clips.next() else {
                    isEnd = true
                    break
                }
                if index.isDone(clip.index), index.entry(clip.index).position.keptPlace == nil { block.append(clip) }
            }
            let found = block
            let next = Atomic(0)
            try WorkerPool.run(min(options.jobs, max(found.count, 1))) { _ in
                let reader = spool.reader()
                let decoder = ClipDecoder(plan.configuration.audio, policy: options.policy)
                var hash = XXH3Hash128()
                while true {
                    try cancellation.check()
                    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard place < found.count else { return }
                    let clip = found[place]
                    let entry = index.entry(clip.index)
                    let (known, recording, seconds, isPlaced) = try Self.known(
                        entry.position, isFinished: entry.rows != nil, reader)
                    // What could not be read then may be open to all now, with the same size and time.
                    if case .failed(let failure) = known, failure.isTransient {
                        index.forget(clip.index)
                        tally.withLock { $0.retried += 1 }
                        continue
                    }
                    let path = Clip.location(of: clip.path, root: options.root)
                    let now = FileStamp(path: path)
                    let isRowless = isPlaced && !hasRows
                    if now == .absent, recording != .absent {
                        tally.withLock {
                            $0.miss(clip, seconds: seconds)
                            if isRowless { $0.lose(clip, entry.position, seconds: seconds) }
                        }
                        continue
                    }
                    var isSame = now == recording
                    if isSame, options.verifyInputs {
                        isSame = try InputComparison.isSame(clip, known, decoder, &hash, plan, root: options.root)
                    }
                    let same = isSame
                    tally.withLock {
                        $0.add(clip, entry.position, seconds: seconds, isSame: same)
                        if isRowless, same { $0.lose(clip, entry.position, seconds: seconds) }
                    }
                }
            }
            if isEnd { break }
        }
        let found = tally.withLock { $0 }
        // A disk that is not mounted must not cost the clips that were read from it.
        if !options.keepMissing, let path = found.missing.min(by: { $0.clip < $1.clip })?.path {
            throw ExtractionError.missingRecordings(folder: spool.folder, count: found.missingCount, path: path)
        }
        try spool.withdraw(found.withdrawn.map(\.position))
        for clip in found.withdrawn { index.forget(clip.clip) }
        return ResumedRun(
            done: index.done - index.kept, failed: index.totals.failures, seconds: found.seconds,
            changed: found.changed.sorted { $0.clip < $1.clip }.prefix(maximumNamed).map(\.path),
            changedCount: found.withdrawn.count, missing: found.missingCount, damaged: damaged, retried: found.retried,
            rowless: found.rowless, rowlessSeconds: found.rowlessSeconds)
    }

    /// Has the clips whose rows are gone read again. What else is left is gone on with.
    ///
    /// - Throws: `StorageError`.
    mutating func forgetRowless(_ spool: Spool, _ index: SpoolIndex) throws(StorageError) {
        guard !rowless.isEmpty else { return }
        try spool.withdraw(rowless.map(\.position))
        for clip in rowless { index.forget(clip.clip) }
        lost = rowless.count
        done -= lost
        seconds -= rowlessSeconds
        rowless = []
    }

    private struct Tally {
        var seconds = 0.0
        var retried = 0
        var rowless: [(clip: Int, position: SpoolPosition)] = []
        var rowlessSeconds = 0.0
        var withdrawn: [(clip: Int, position: SpoolPosition)] = []
        var changed: [(clip: Int, path: String)] = []
        var missing: [(clip: Int, path: String)] = []
        var missingCount = 0

        mutating func miss(_ clip: Clip, seconds: Double) {
            missingCount += 1
            self.seconds += seconds
            if missing.count < 1000 { missing.append((clip.index, clip.path)) }
        }

        mutating func lose(_ clip: Clip, _ position: SpoolPosition, seconds: Double) {
            rowless.append((clip.index, position))
            rowlessSeconds += seconds
        }

        mutating func add(_ clip: Clip, _ position: SpoolPosition, seconds: Double, isSame: Bool) {
            guard !isSame else {
                self.seconds += seconds
                return
            }
            withdrawn.append((clip.index, position))
            // The order in which threads come by is no order: the first of the manifest are named.
            if changed.count < 1000 { changed.append((clip.index, clip.path)) }
        }
    }

    private static func known(
        _ position: SpoolPosition, isFinished: Bool, _ reader: SpoolReader
    ) throws(StorageError) -> (InputComparison.Known, FileStamp, seconds: Double, isPlaced: Bool) {
        guard isFinished else {
            let failed = try reader.failed(at: position)
            return (.failed(failed.failure), failed.recording, 0, false)
        }
        let spooled = try reader.finished(at: position)
        return (
            .stored(audioChecksum: spooled.clip.audioChecksum.hex, sampleRate: spooled.clip.sampleRate),
            spooled.recording, spooled.clip.duration,
            spooled.placed != nil
        )
    }
}
