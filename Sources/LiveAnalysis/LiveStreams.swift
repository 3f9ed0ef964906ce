import ClipFeatures
import FeatureModel
import SignalProcessing

/// Turns the samples of an input into rows; used by one worker.
///
/// libsoxr resamples in blocks, which may be long for a file. The display must not wait for long ones, so its samples are
/// resampled in short blocks, and those that are recorded a second time, in the blocks of a file: the two differ by the rounding
/// of single precision. Where nothing is resampled, the rows that are shown are those that are recorded.
final class LiveStreams {
    private let shown: AudioFeatureStream
    /// For what is recorded, where it differs.
    private let kept: AudioFeatureStream?
    /// Values that are shown, where those of rows are followed by their rests.
    private var values: [Float] = []

    typealias Receiver = (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void

    /// - Parameters:
    ///   - configuration: What to compute.
    ///   - format: What comes.
    ///   - isRecorded: Whether rows are kept.
    /// - Throws: As `AudioFeatureStream`.
    init(_ configuration: FeatureConfiguration, _ format: LiveFormat, isRecorded: Bool) throws {
        func stream(lowLatency: Bool, keepsRests: Bool) throws -> AudioFeatureStream {
            try AudioFeatureStream(
                configuration, inputRate: format.sampleRate, channels: format.channels, lowLatency: lowLatency,
                keepsRests: keepsRests)
        }
        let isResampled = (configuration.audio.sampleRate ?? format.sampleRate) != format.sampleRate
        let hasBlocks = isResampled && configuration.audio.resampler.isSoxr
        shown = try stream(lowLatency: hasBlocks, keepsRests: isRecorded && !hasBlocks)
        kept = hasBlocks && isRecorded ? try stream(lowLatency: false, keepsRests: true) : nil
    }

    /// The greatest value of all rows that are kept.
    var peak: Double { (kept ?? shown).features.exactPeak }

    /// Takes samples, and hands over the rows that they complete, as soon as they do.
    ///
    /// - Parameters:
    ///   - samples: Interleaved, on the unit scale; whole frames.
    ///   - show: Takes rows for the display.
    ///   - keep: Takes rows to be recorded.
    /// - Throws: What `keep` throws, or `ClipFailure` of stage `condition` where resampling fails.
    func push(
        _ samples: UnsafeBufferPointer<Float>, show: (UnsafeBufferPointer<Float>) -> Void, keep: Receiver
    ) throws(ClipFailure) {
        func take(_ rows: UnsafeBufferPointer<Float>) throws(ClipFailure) {
            self.show(rows, by: show)
            if kept == nil { try keep(rows) }
        }
        try shown.push(samples, receive: take)
        try shown.flush(receive: take)
        try kept?.push(samples, receive: keep)
    }

    /// Hands over the rows that are left.
    ///
    /// - Throws: As `push`.
    func finish(show: (UnsafeBufferPointer<Float>) -> Void, keep: Receiver) throws(ClipFailure) {
        try shown.finish { rows throws(ClipFailure) in
            self.show(rows, by: show)
            if kept == nil { try keep(rows) }
        }
        try kept?.finish(receive: keep)
    }

    /// Shows rows without their rests.
    private func show(_ rows: UnsafeBufferPointer<Float>, by show: (UnsafeBufferPointer<Float>) -> Void) {
        guard shown.features.rowsHaveRests else { return show(rows) }
        values.removeAll(keepingCapacity: true)
        RowRests.append(rows, to: &values)
        values.withUnsafeBufferPointer(show)
    }
}
