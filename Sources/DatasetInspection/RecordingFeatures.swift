import AudioDecoding
import ClipFeatures
import FeatureModel
import Presentation
import SignalProcessing

/// The features of one recording, straight from its file, for looking at.
package struct RecordingFeatures: Sendable {
    /// What was computed.
    package let plan: FeaturePlan
    /// The rows; normalised only where the configuration does so clip by clip. Those of a very long recording are means of
    /// `framesPerRow` neighbours.
    package let matrix: FeatureMatrix
    /// How many frames a row stands for.
    package let framesPerRow: Int
    /// How many frames the recording has.
    package let frameCount: Int
    /// How many frames before the first row were left out.
    private let skippedFrames: Int
    /// What was found of the recording.
    package let recording: ClipMeasurement

    /// What there is to say of the recording, a sentence each: that it is cut off, and samples that are no numbers.
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
    /// Time of the middle of the first row, in seconds from the recording's beginning.
    package var firstFrameTime: Double {
        plan.firstFrameTime + recording.start
            + plan.framePeriod * (Double(skippedFrames) + Double(framesPerRow - 1) / 2)
    }

    /// Reads a recording, or a part of it. Memory is bounded, whatever its length.
    ///
    /// - Parameters:
    ///   - policy: What becomes of a recording that is cut off, and of samples that are no numbers.
    ///   - maximumValues: The most values that are kept; see `FrameReduction`.
    ///   - newest: The last frames alone, at most so many and not more than `maximumValues` hold, and never means. Nil: all.
    /// - Throws: `ClipFailure`, `ConfigurationError`, `SignalError`.
    package init(
        path: String, segment: Segment? = nil, channel: Int? = nil, configuration: FeatureConfiguration,
        policy: RecordingPolicy = RecordingPolicy(), maximumValues: Int = 1 << 25, newest: Int? = nil
    ) throws {
        let decoder = ClipDecoder(configuration.audio, policy: policy)
        let clip = Clip(index: 0, id: path, path: path, segment: segment, channel: channel)
        let plan = try FeaturePlan(configuration, sampleRate: Double(try decoder.signalRate(path: path)))
        let features = try ClipFeatureReader(plan, policy: policy)
        let normalize = configuration.normalize
        let accumulator = normalize.scope == .clip ? try StatisticsAccumulator(bins: plan.bins) : nil
        var reduction = FrameReduction(bins: plan.bins, maximumValues: maximumValues)
        var last = newest.map { NewestFrames(bins: plan.bins, mostRows: $0, maximumValues: maximumValues) }
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
        guard let statistics = accumulator?.statistics() else {
            matrix = rows
            return
        }
        var values = rows.values
        let normalizer = Normalizer(normalize.method, axis: normalize.axis, statistics: statistics)
        values.withUnsafeMutableBufferPointer { normalizer.apply($0) }
        matrix = FeatureMatrix(bins: plan.bins, values: values)
    }
}
