import AudioDecoding
import FeatureModel
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
    /// What was found of the recording.
    package let recording: DecodedClip

    /// Seconds from a row to the next.
    package var framePeriod: Double { plan.framePeriod * Double(framesPerRow) }
    /// Time of the middle of the first row, in seconds from the recording's beginning.
    package var firstFrameTime: Double {
        plan.firstFrameTime + recording.start + plan.framePeriod * Double(framesPerRow - 1) / 2
    }

    /// Reads a recording, or a part of it. Memory is bounded, whatever its length.
    ///
    /// - Parameter mostValues: The most values that are kept; see `FrameReduction`.
    /// - Throws: `ClipFailure`, `ConfigurationError`, `SignalError`.
    package init(
        path: String, segment: Segment? = nil, channel: Int? = nil, configuration: FeatureConfiguration,
        mostValues: Int = 1 << 25
    ) throws {
        let decoder = ClipDecoder(configuration.audio)
        let clip = Clip(index: 0, id: path, path: path, segment: segment, channel: channel)
        let plan = try FeaturePlan(configuration, sampleRate: Double(try decoder.signalRate(path: path)))
        let features = try ClipFeatures(plan)
        let normalize = configuration.normalize
        let accumulator = normalize.scope == .clip ? try StatisticsAccumulator(bins: plan.bins) : nil
        var reduction = FrameReduction(bins: plan.bins, mostValues: mostValues)
        recording = try features.read(
            clip, path: path,
            receive: { rows throws(ClipFailure) in
                accumulator?.add(rows)
                reduction.add(rows)
            })
        guard reduction.frameCount > 0 else { throw ClipExtractor.tooShort(plan, samples: features.sampleCount) }
        framesPerRow = reduction.framesPerRow
        let rows = reduction.finish()
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
