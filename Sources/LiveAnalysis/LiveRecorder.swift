import ClipFeatures
import ClipSpool
import DatasetExtraction
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

/// Writes the rows of one input to the spool of its feature file; used by one worker.
final class LiveRecorder {
    private let clip: Int
    private let plan: FeaturePlan
    private let spool: Spool
    private let writer: SpoolWriter
    /// Where rows wait for the clip's maximum (`FeaturePlan.needsWholeClip`); nil: they are final.
    private let draft: SpoolWriter?
    private var draftValues = 0
    private var statistics: RegroupedStatistics
    private var hash = XXH3Hash128()
    /// Values that were kept.
    private var values = 0
    /// The least value that was kept, where added rows hold it; ∞: there is none.
    private var least = Double.infinity
    private var noted = (moment: ContinuousClock.now, frames: 0)

    /// Seconds, of time or of sound, after which rows are handed over.
    private static let notePeriod = 1

    /// Numbers of the files for an input's rows: for final ones, and for those that wait for the clip's maximum.
    static func files(of clip: Int, of clips: Int) -> (rows: Int, draft: Int) { (clip, clips + clip) }

    /// - Parameters:
    ///   - clip: The input's index in the file.
    ///   - clips: Inputs altogether.
    ///   - spool: Where rows are kept.
    ///   - firstFile: Number of the first file that is free for it.
    /// - Throws: `SignalError.outOfMemory`, `StorageError`.
    init(clip: Int, of clips: Int, plan: FeaturePlan, spool: Spool, firstFile: Int = 0) throws {
        self.clip = clip
        self.plan = plan
        self.spool = spool
        let files = Self.files(of: clip, of: clips)
        writer = try spool.writer(firstFile + files.rows)
        draft = plan.needsWholeClip ? try spool.writer(firstFile + files.draft) : nil
        statistics = try RegroupedStatistics(plan, isWhole: false, hasRests: plan.hasRests)
        writer.start(clip: clip)
        draft?.start(clip: clip)
    }

    /// Adds decoded samples to the checksum.
    func hash(_ samples: UnsafeBufferPointer<Float>) { hash.update(UnsafeRawBufferPointer(samples)) }

    /// Keeps whole rows, as the stream hands them over.
    ///
    /// - Throws: `StorageError.system`, for example if the disk is full.
    func keep(_ rows: UnsafeBufferPointer<Float>) throws(StorageError) {
        values += rows.count
        guard let draft else {
            if plan.configuration.rows.fillsWithLeast { least = min(least, plan.least(of: rows)) }
            return try store(rows)
        }
        draftValues += rows.count
        try draft.append(rows)
    }

    /// Hands over the rows so far to the system once in a while, so that they outlive the program.
    ///
    /// - Parameters:
    ///   - isLast: Whether no more rows come, so that they are handed over now.
    ///   - frames: Samples of each channel that were read.
    ///   - peak: The maximum of all rows so far.
    /// - Throws: `StorageError.system`.
    func handOver(_ format: LiveFormat, frames: Int, peak: Double, isLast: Bool = false) throws(StorageError) {
        let now = ContinuousClock.now
        guard
            isLast || noted.moment.duration(to: now) >= .seconds(Self.notePeriod)
                || frames - noted.frames >= Self.notePeriod * format.sampleRate
        else { return }
        noted = (now, frames)
        try (draft ?? writer).handOver(Checkpoint(frames: frames, values: values, peak: peak, checksum: hash.finish()))
    }

    /// Adds the rows that follow a clip's last one before normalisation (`rows.fill_order: before`).
    ///
    /// - Parameter rows: Number of rows of the clip.
    /// - Throws: `StorageError`.
    func keepPadding(after rows: Int) throws(StorageError) {
        guard plan.configuration.addsRowsEarly else { return }
        let row = plan.fillRow(least: least)
        for _ in rows..<max(plan.configuration.rows.filled(rows), rows) {
            try row.withUnsafeBufferPointer { row throws(StorageError) in try keep(row) }
        }
    }

    /// Marks the start of the rows that a stream hands over at its end.
    func end() { statistics.end() }

    private func store(_ rows: UnsafeBufferPointer<Float>) throws(StorageError) {
        statistics.add(rows)
        try writer.append(rows)
    }

    /// Completes rows that have waited for the clip's maximum.
    private func complete(_ draft: SpoolWriter, peak: Double) throws {
        // As `ClipFeatureReader` does: the rows of a short clip are completed in one go.
        let rows = draftValues / max(plan.streamedWidth, 1)
        statistics = try RegroupedStatistics(
            plan, isWhole: rows * plan.streamedBins <= ClipFeatureReader.maximumKept, hasRests: plan.hasRests)
        let position = try draft.finish(
            FinishedClip(
                measurement: ClipMeasurement(sampleRate: 0, channels: 0, start: 0, duration: 0),
                audioChecksum: Checksum128(high: 0, low: 0), statistics: BinStatistics(bins: plan.streamedBins)))
        let reader = spool.reader()
        let completion = try RowCompletion(plan, takesRests: true, keepsRests: true)
        completion.start(exactPeak: peak)
        try reader.rows(of: reader.finished(at: position)) { rows throws(StorageError) in
            try completion.push(UnsafeBufferPointer(rows), receive: store)
        }
        statistics.end()
        try completion.finish(receive: store)
    }

    /// Completes the clip as failed.
    ///
    /// - Throws: `StorageError`.
    func fail(_ failure: ClipFailure, _ index: SpoolIndex) throws(StorageError) {
        index[clip] = .failed(try writer.fail(failure))
    }

    /// Completes the clip: as stored, or as failed for the reason that an extraction would give.
    ///
    /// - Parameters:
    ///   - frames: Samples of each channel that were read.
    ///   - peak: The maximum of all rows, as the stream has it at its end.
    ///   - isTruncated: Whether the input ended before what its header promised.
    ///   - checksum: The checksum of the samples; nil: that of those that were hashed here.
    ///   - index: Where the position of the clip is stored.
    /// - Throws: `StorageError`, `SignalError`.
    func finish(
        sampleRate: Int, channels: Int, frames: Int, peak: Double, isTruncated: Bool = false,
        checksum: Checksum128? = nil, _ index: SpoolIndex
    ) throws {
        if let draft { try complete(draft, peak: peak) }
        guard let finished = statistics.finish() else {
            index[clip] = .failed(try writer.fail(.nonFiniteFeatures))
            return
        }
        let rows = plan.storedRowCount(finished.count)
        guard rows > 0, rows <= Int(Int32.max) else {
            let samples = Int((Double(frames) * plan.sampleRate / Double(sampleRate)).rounded())
            let failure =
                rows > 0
                ? ClipFailure.tooManyFrames(rows)
                : ClipFailure.tooShort(plan, samples: samples)
            index[clip] = .failed(try writer.fail(failure))
            return
        }
        let position = try writer.finish(
            FinishedClip(
                measurement: ClipMeasurement(
                    sampleRate: sampleRate, channels: channels, start: 0,
                    duration: Double(frames) / Double(sampleRate), isTruncated: isTruncated),
                audioChecksum: checksum ?? hash.finish(), statistics: finished, hasRests: plan.hasRests))
        index[clip] = .spooled(position, rows: finished.count)
    }
}
