import FeatureModel
import SignalProcessing

/// A short sound and the features of a configuration of it, for other projects to test against.
package struct FeatureGolden: Sendable {
    /// At the configuration's rate.
    package let sound: GoldenSound
    /// The features before a normalisation over a dataset; of patches, the rows of one after another.
    package let features: FeatureMatrix
    /// [rows, bins], or as patches are stored.
    package let extents: [Int]

    /// - Parameter usualRate: The rate in Hz of the sound where the features have that of each recording.
    /// - Throws: `ConfigurationError` where the configuration does not go with that rate; `SignalError` where memory runs out.
    package init(_ configuration: FeatureConfiguration, usualRate: Int) throws {
        let configuration = try ExpectedFeatures.comparable(configuration)
        let rate = configuration.audio.sampleRate ?? usualRate
        let plan = try FeaturePlan(configuration, sampleRate: Double(rate))
        // A whole patch at least, also where zeros could complete it.
        let patchFrames = configuration.patches.length ?? 1
        let patchSamples = plan.geometry.length + (patchFrames - 1) * plan.geometry.hop
        sound = GoldenSound(rate: rate, minimum: max(plan.minimumSamples, patchSamples))
        extents = plan.storedExtents(samples: sound.samples.count)
        features = try ExpectedFeatures.rows(of: sound.waveform, plan)
    }
}
