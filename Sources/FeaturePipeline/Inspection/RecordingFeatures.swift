import AudioDecoding
import FeatureModel
import SignalProcessing

/// The features of one recording, straight from its file.
package struct RecordingFeatures: Sendable {
    /// What was computed.
    package let plan: FeaturePlan
    /// The rows; normalised only where the configuration does so clip by clip.
    package let matrix: FeatureMatrix
    /// What was found of the recording.
    package let recording: DecodedClip

    /// The most values that are kept in memory: a gigabyte.
    package static let mostValues = 1 << 28

    /// Reads a recording, or a part of it.
    ///
    /// - Throws: `ClipFailure`, `ConfigurationError`, `SignalError`.
    package init(
        path: String, segment: Segment? = nil, channel: Int? = nil, configuration: FeatureConfiguration
    ) throws {
        let decoder = ClipDecoder(configuration.audio)
        let clip = Clip(index: 0, id: path, path: path, segment: segment, channel: channel)
        let plan = try FeaturePlan(configuration, sampleRate: Double(try decoder.signalRate(path: path)))
        let features = try ClipFeatures(plan)
        var values: [Float] = []
        func keep(_ rows: UnsafeBufferPointer<Float>) throws(ClipFailure) {
            guard values.count + rows.count <= Self.mostValues else {
                throw ClipFailure(
                    .store, "the picture would need more than \(Self.mostValues) values: choose a part of the recording"
                )
            }
            values.append(contentsOf: rows)
        }
        recording = try features.read(clip, path: path, receive: keep)
        guard !values.isEmpty else { throw ClipExtractor.tooShort(plan, samples: features.sampleCount) }
        let normalize = configuration.normalize
        if normalize.scope == .clip {
            let accumulator = try StatisticsAccumulator(bins: plan.bins)
            values.withUnsafeBufferPointer(accumulator.add)
            if let statistics = accumulator.statistics() {
                let normalizer = Normalizer(normalize.method, axis: normalize.axis, statistics: statistics)
                values.withUnsafeMutableBufferPointer { normalizer.apply($0) }
            }
        }
        self.plan = plan
        matrix = FeatureMatrix(bins: plan.bins, values: values)
    }
}
