import Archives
import AudioDecoding
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing
import Synchronization

/// What an interrupted run left that the next run uses.
package struct ResumedRun: Sendable {
    /// The folder that holds it.
    let contents: SpoolContents
    /// How much of the folder's files counts.
    let extent: SpoolContents.Extent
    /// Clips that need not be read again, failed ones included.
    package private(set) var done: Int
    /// The failed ones among them.
    let failed: Int
    /// What was found of its clips.
    private var found: Tally
    /// Records of the clips that are read again since their rows are gone.
    private var lostPositions: [SpoolPosition] = []

    private static let blockSize = 4096
    private static let maximumNamed = 5

    /// The folder's path.
    package var folder: String { contents.folder }
    /// Whether all of it was left by shards.
    package var isOfShardsAlone: Bool { contents.identity == nil }
    /// The folder of the shards that it takes up; nil: there are none.
    package var shardFolder: String? { contents.shards.first.map(Folder.containing) }
    /// Damaged files of the spool: the clips after the damage are read again.
    var damaged: [String] { extent.damaged }
    /// Seconds of audio in the clips that have not failed.
    var seconds: Double { found.duration.seconds }
    /// Paths of clips that had been done and are read again, since their recordings have changed: the first few.
    var changed: [String] { found.changed.sorted { $0.clip < $1.clip }.prefix(Self.maximumNamed).map(\.path) }
    /// How many there are of those.
    package var changedCount: Int { found.withdrawn.count }
    /// Clips that are kept although their recordings are missing.
    var missing: Int { found.missingCount }
    /// Clips that could not be opened then, and are tried again.
    var retried: Int { found.retried }
    /// Clips whose rows are gone: usually these have become the feature file, and the run was killed before it deleted the spool.
    var clipsMissingRows: [(clip: Int, position: SpoolPosition)] { found.clipsMissingRows }
    /// How many clips are read again since their rows are gone.
    var lost: Int { lostPositions.count }
    /// The records to withdraw before the run.
    var withdrawn: [SpoolPosition] { found.withdrawn.map(\.position) + lostPositions }

    /// Notes in `index` what a folder holds of a manifest's clips. Changes nothing on the disk.
    ///
    /// A clip counts if size and time of its recording are as they were when it was read and, with `verifyInputs`, so are its
    /// samples. Clips that could not be opened are tried again.
    ///
    /// - Parameter retriesFailed: Whether all that have failed are tried again.
    /// - Throws: `ExtractionError.missingRecordings` if recordings of clips that are done are missing and `keepMissing` is
    ///   false; `StorageError`, `ManifestError` or `ExtractionError.cancelled`.
    static func admit(
        _ contents: SpoolContents, of extraction: Extraction, into index: SpoolIndex, retriesFailed: Bool = false,
        _ cancellation: Cancellation
    ) throws -> ResumedRun {
        let (source, options) = (extraction.source, extraction.options)
        let extent = try scan(contents, into: index, jobs: options.jobs, cancellation)
        let tally = Mutex(Tally())
        let hasRows = contents.hasRows
        let clips = try source.reader()
        while true {
            try cancellation.check()
            let block = try clips.next(Self.blockSize)
            let found = block.filter { index[$0.index].position != nil }
            try WorkerPool.each(found.count, options.workers) {
                (reader: contents.reader(), check: RecordingCheck(extraction, samples: options.verifyInputs))
            } _: { worker, number in
                try cancellation.check()
                let clip = found[number]
                guard let done = try SpooledRecording(index[clip.index], worker.reader) else { return }
                // A recording that could not be opened then may be readable now, with the same size and time.
                if let failure = done.known.failure, retriesFailed || failure.isTransient {
                    index[clip.index] = .pending
                    tally.withLock { $0.retried += 1 }
                    return
                }
                let state = try worker.check.state(of: clip, since: done.known)
                tally.withLock {
                    $0.add(clip, done, state)
                    if done.isInPlace, !hasRows, state != .changed { $0.lose(clip, done) }
                }
            }
            if block.isEmpty { break }
        }
        let found = tally.withLock { $0 }
        // A disk that is not mounted must not discard the clips that were read from it.
        if !options.keepMissing, let path = found.missing.min(by: { $0.clip < $1.clip })?.path {
            let folder = contents.identity == nil ? contents.shards.first.map(Folder.containing) : nil
            throw ExtractionError.missingRecordings(
                folder: folder ?? contents.folder, count: found.missingCount, path: path)
        }
        for clip in found.withdrawn { index[clip.clip] = .pending }
        return ResumedRun(
            contents: contents, extent: extent, done: index.done - index.kept, failed: index.totals.failures,
            found: found)
    }

    /// Notes what the files of clips hold, several files at a time: first those of shards, since what the run itself has done
    /// counts before them.
    private static func scan(
        _ contents: SpoolContents, into index: SpoolIndex, jobs: Int, _ cancellation: Cancellation
    ) throws -> SpoolContents.Extent {
        var extent = SpoolContents.Extent()
        for files in [0..<contents.shardFileCount, contents.shardFileCount..<contents.fileCount] {
            let found = try WorkerPool.map(files.count, jobs: jobs, worker: {}) { _, number in
                try cancellation.check()
                return try contents.scan(file: files.lowerBound + number) { index.note($0) }
            }
            for file in found { extent.add(file) }
        }
        return extent
    }

    /// Has the clips whose rows are gone read again, and keeps the others.
    mutating func forgetClipsMissingRows(_ index: SpoolIndex) {
        for clip in clipsMissingRows { index[clip.clip] = .pending }
        lostPositions = clipsMissingRows.map(\.position)
        done -= lost
        if lost > 0 { found.duration -= found.durationMissingRows }
        found.clipsMissingRows = []
    }

    /// What threads found of the clips.
    private struct Tally {
        var duration = DurationSum()
        var retried = 0
        var clipsMissingRows: [(clip: Int, position: SpoolPosition)] = []
        var durationMissingRows = DurationSum()
        var withdrawn: [(clip: Int, position: SpoolPosition)] = []
        var changed: [(clip: Int, path: String)] = []
        var missing: [(clip: Int, path: String)] = []
        var missingCount = 0

        mutating func lose(_ clip: Clip, _ done: SpooledRecording) {
            clipsMissingRows.append((clip.index, done.position))
            durationMissingRows += done.seconds
        }

        mutating func add(_ clip: Clip, _ done: SpooledRecording, _ state: RecordingCheck.State) {
            guard state == .changed else {
                duration += done.seconds
                if state == .missing {
                    missingCount += 1
                    if missing.count < 1000 { missing.append((clip.index, clip.path)) }
                }
                return
            }
            withdrawn.append((clip.index, done.position))
            // Threads arrive in any order; the first clips of the manifest are named.
            if changed.count < 1000 { changed.append((clip.index, clip.path)) }
        }
    }
}

/// What a spool or a shard says of a clip that is done, and of its recording.
struct SpooledRecording {
    let position: SpoolPosition
    let known: KnownRecording
    /// Seconds of audio; 0 if the clip has failed.
    let seconds: Double
    /// Whether its rows are in `InPlaceRows`.
    let isInPlace: Bool

    /// Nil: the entry is not that of a clip there.
    ///
    /// - Throws: `StorageError`.
    init?(_ entry: SpoolEntry, _ reader: SpoolReader) throws(StorageError) {
        guard let position = entry.position else { return nil }
        self.position = position
        if entry.rows == nil {
            let failed = try reader.failed(at: position)
            (known, seconds, isInPlace) = (KnownRecording(failed.failure, stamp: failed.recording), 0, false)
        } else {
            let spooled = try reader.finished(at: position)
            (known, seconds) = (KnownRecording(spooled), spooled.clip.duration)
            isInPlace = spooled.inPlace != nil
        }
    }
}
