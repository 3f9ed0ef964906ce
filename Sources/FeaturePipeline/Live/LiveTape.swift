import Checksums
import FeatureModel
import FeatureStorage
import SignalProcessing

/// Keeps the rows of one input on their way to a feature file: one worker's own.
final class LiveTape {
    private let clip: Int
    private let plan: FeaturePlan
    private let writer: SpoolWriter
    private let statistics: LiveStatistics
    private var hash = XXH3Hash128()

    /// - Parameters:
    ///   - clip: The input's place in the file.
    ///   - writer: Where rows go.
    /// - Throws: `SignalError` where memory is not to be had.
    init(clip: Int, plan: FeaturePlan, writer: SpoolWriter) throws(SignalError) {
        self.clip = clip
        self.plan = plan
        self.writer = writer
        statistics = try LiveStatistics(plan)
        writer.begin(clip: clip)
    }

    /// Takes note of samples, as they were decoded.
    func hear(_ samples: UnsafeBufferPointer<Float>) { hash.update(UnsafeRawBufferPointer(samples)) }

    /// Keeps whole rows.
    ///
    /// - Throws: `StorageError.system`, such as for a full disk.
    func keep(_ rows: UnsafeBufferPointer<Float>) throws(StorageError) {
        statistics.add(rows)
        try writer.append(rows)
    }

    /// Says that the rows that come from now on are those that a stream has left at its end.
    func end() { statistics.end() }

    /// Completes the clip: as stored, or as failed for the reason that an extraction would give.
    ///
    /// - Parameters:
    ///   - frames: Samples of each channel that were heard.
    ///   - index: Is told where the clip is.
    /// - Throws: `StorageError.system`.
    func finish(_ format: LiveFormat, frames: Int, _ index: SpoolIndex) throws(StorageError) {
        guard let figures = statistics.finish() else {
            return index.fail(clip, at: try writer.fail(ClipExtractor.notFinite))
        }
        guard figures.count > 0, let rows = Int32(exactly: figures.count) else {
            let samples = Int((Double(frames) * plan.sampleRate / Double(format.sampleRate)).rounded())
            let failure =
                figures.count > 0
                ? ClipFailure(.store, "expected at most \(Int32.max) frames, found \(figures.count)")
                : ClipExtractor.tooShort(plan, samples: samples)
            return index.fail(clip, at: try writer.fail(failure))
        }
        let position = try writer.finish(
            FinishedClip(
                sampleRate: format.sampleRate, channels: format.channels, start: 0,
                duration: Double(frames) / Double(format.sampleRate), audioChecksum: hash.finish(),
                statistics: figures))
        index.finish(clip, at: position, rows: rows)
    }
}
