import AudioDecoding
import ClipFeatures
import FeatureModel
import Presentation
import SignalProcessing

/// The features of one recording, computed for display.
package struct RecordingFeatures: Sendable {
    package let plan: FeaturePlan
    /// The rows, normalised if the configuration does so clip by clip. For a very long recording, means of `framesPerRow` frames.
    package let matrix: FeatureMatrix
    package let framesPerRow: Int
    package let frameCount: Int
    /// How many frames before the first row were left out.
    private let skippedFrames: Int
    /// What decoding found: rate, channels, duration.
    package let recording: ClipMeasurement

    /// Sentences: that the recording is truncated, and that it has NaN or infinite samples.
    package var warnings: [String] {
        var warnings: [String] = []
        if recording.isTruncated { warnings.append("the recording is cut off: what is there of it is drawn") }
        if recording.zeroedSamples > 0 {
            warnings.append(
                "samples that were infinite or not a number are drawn as 0: \(Wording.count(recording.zeroedSamples))")
        }
        return warnings
    }

    /// Seconds from a row to the next.
    package var framePeriod: Double { plan.framePeriod * Double(framesPerRow) }
    /// Seconds from the start of the recording to the middle of the first row.
    package var firstFrameTime: Double {
        plan.firstFrameTime + recording.start
            + plan.configuration.cropOffset(duration: recording.duration, sampleRate: recording.sampleRate)
            + plan.framePeriod * (Double(skippedFrames) + Double(framesPerRow - 1) / 2)
    }

    /// The number of channels of a recording.
    ///
    /// - Throws: `ClipFailure`.
    package static func channels(of path: String) throws -> Int {
        try ClipDecoder(AudioConfiguration(sampleRate: nil, channels: .all))
            .signals(of: Clip(index: 0, id: path, path: path), path: path).count
    }

    /// What the header of a recording says, without decoding it.
    ///
    /// - Throws: `ClipFailure`, also where the part is not within the recording.
    package static func survey(
        path: String, segment: Segment? = nil, channel: Int? = nil, _ audio: AudioConfiguration,
        _ policy: RecordingPolicy
    ) throws -> ClipMeasurement {
        try ClipDecoder(audio, policy: policy)
            .survey(Clip(index: 0, id: path, path: path, segment: segment, channel: channel), path: path)
    }

    /// Reads a recording, or a part of it, in bounded memory.
    ///
    /// - Parameters:
    ///   - maximumValues: Maximum number of values that are kept; see `FrameReduction`.
    ///   - newest: Keep only this number of the last frames, as they are, as far as `maximumValues` allows. Nil: all.
    package init(
        path: String, segment: Segment? = nil, channel: Int? = nil, configuration: FeatureConfiguration,
        policy: RecordingPolicy = RecordingPolicy(), maximumValues: Int = 1 << 25, newest: Int? = nil
    ) throws {
        let decoder = ClipDecoder(configuration.audio, policy: policy)
        let clip = Clip(index: 0, id: path, path: path, segment: segment, channel: channel)
        let plan = try FeaturePlan(configuration, sampleRate: Double(try decoder.signalRate(path: path)))
        let features = try ClipFeatureReader(plan, policy: policy, keepsRests: true)
        // Values and their rests are averaged alike.
        let parts = plan.hasRests ? 2 : 1
        let (width, limit) = (plan.bins * parts, maximumValues * parts)
        let normalize = configuration.rowNormalization
        let accumulator =
            normalize.scope == .clip ? try StatisticsAccumulator(bins: plan.bins, hasRests: plan.hasRests) : nil
        var reduction = FrameReduction(bins: width, maximumValues: limit)
        var last = newest.map { NewestFrames(bins: width, maximumRows: $0, maximumValues: limit) }
        recording = try features.read(
            clip, path: path,
            receive: { rows throws(ClipFailure) in
                accumulator?.add(rows)
                if last == nil { reduction.add(rows) } else { last?.add(rows) }
            })
        frameCount = last?.frameCount ?? reduction.frameCount
        guard frameCount > 0 else { throw ClipFailure.tooShort(plan, samples: features.sampleCount) }
        framesPerRow = reduction.framesPerRow
        let rows = last?.finish() ?? reduction.finish()
        skippedFrames = newest == nil ? 0 : frameCount - rows.rows
        self.plan = plan
        let known = normalize.scope == .constant ? BinStatistics(bins: plan.bins) : nil
        guard let statistics = accumulator?.statistics() ?? known else {
            matrix = rows
            return
        }
        var values = rows.values
        let normalizer = Normalizer(normalize, statistics: statistics)
        let count = values.withUnsafeMutableBufferPointer { normalizer.apply($0, hasRests: plan.hasRests).count }
        matrix = FeatureMatrix(bins: plan.bins, values: Array(values.prefix(count)))
    }
}

extension SampleEnvelope {
    /// Reads the samples of a recording, or a part of it, at its own rate, for a waveform. Memory is bounded: up to two million
    /// stretches of one or more samples.
    ///
    /// - Parameters:
    ///   - channel: The channel, from 0; nil: those of `channels`.
    ///   - decoded: Takes the samples of all channels in turn, as they are decoded.
    package static func read(
        path: String, segment: Segment? = nil, channel: Int? = nil, channels: ChannelSelection = .mix,
        policy: RecordingPolicy = RecordingPolicy(), decoded: (UnsafeBufferPointer<Float>) -> Void = { _ in }
    ) throws -> SampleEnvelope {
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil, channels: channels), policy: policy)
        let clip = Clip(index: 0, id: path, path: path, segment: segment, channel: channel)
        let rate = try decoder.signalRate(path: path)
        var accumulator = EnvelopeAccumulator()
        let found = try decoder.read(clip, path: path, rate: rate, decoded: decoded) { accumulator.add($1) }
        return accumulator.finish(start: found.start, rate: rate)
    }
}

/// Collects the minimum and the maximum sample of every stretch of a signal, in bounded memory: of too many stretches,
/// neighbours are merged.
struct EnvelopeAccumulator {
    private let maximumStretches: Int
    private var length = 1
    private var minima: [Float] = []
    private var maxima: [Float] = []
    private var minimum = Float.infinity
    private var maximum = -Float.infinity
    private var pending = 0

    /// - Parameter maximumStretches: Even, and at least 2.
    init(maximumStretches: Int = 1 << 21) { self.maximumStretches = maximumStretches }

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            minimum = min(minimum, sample)
            maximum = max(maximum, sample)
            pending += 1
            if pending == length { complete() }
        }
    }

    /// The envelope of a signal of `rate` samples a second whose first sample is at `start` seconds.
    mutating func finish(start: Double, rate: Int) -> SampleEnvelope {
        if pending > 0 { complete() }
        return SampleEnvelope(start: start, step: Double(length) / Double(rate), minima: minima, maxima: maxima)
    }

    private mutating func complete() {
        minima.append(minimum)
        maxima.append(maximum)
        minimum = .infinity
        maximum = -.infinity
        pending = 0
        guard minima.count >= maximumStretches else { return }
        for index in 0..<minima.count / 2 {
            minima[index] = min(minima[2 * index], minima[2 * index + 1])
            maxima[index] = max(maxima[2 * index], maxima[2 * index + 1])
        }
        minima.removeLast(minima.count - minima.count / 2)
        maxima.removeLast(maxima.count - maxima.count / 2)
        length *= 2
    }
}
