import FeatureModel
import SignalProcessing

/// A short sound and the features of a preset of it, for other projects to test against.
package struct PresetGolden: Sendable {
    package let preset: Preset
    /// At the preset's rate.
    package let sound: GoldenSound
    /// The features before a normalisation over a dataset; of patches, the rows of one after another.
    package let features: FeatureMatrix
    /// [rows, bins], or as patches are stored.
    package let extents: [Int]

    /// - Throws: `ConfigurationError`, never in practice; `SignalError` where memory runs out.
    package init(_ preset: Preset) throws {
        self.preset = preset
        let configuration = try ExpectedFeatures.comparable(preset.configuration())
        let rate = configuration.audio.sampleRate ?? Int(preset.usualRate)
        let plan = try FeaturePlan(configuration, sampleRate: Double(rate))
        // A whole patch at least, also where zeros could complete it.
        let patchFrames = configuration.patches.length ?? 1
        let patchSamples = plan.geometry.length + (patchFrames - 1) * plan.geometry.hop
        sound = GoldenSound(rate: rate, minimum: max(plan.minimumSamples, patchSamples))
        extents = plan.storedExtents(samples: sound.samples.count)
        features = try ExpectedFeatures.rows(of: sound.waveform, plan)
    }
}
