import CKernels
import FeatureModel

/// What happens to a frame before its window: its rest, removal of the mean, energy, pre-emphasis.
///
/// Order and first sample as in Kaldi's `FrameExtractor`: the energy is taken before pre-emphasis and window. `LaneLoader`
/// does it on the way into lanes.
struct FramePreparation {
    /// The steps, as the loops take them.
    let steps: veery_preparation
    /// Square of the samples' scale.
    private let energyFactor: Double

    init(_ plan: FeaturePlan) {
        let frame = plan.configuration.frame
        steps = veery_preparation(
            removes_mean: frame.removeDC ? 1 : 0,
            measures_energy: plan.configuration.transform.cepstrum?.zeroth == .energy ? 1 : 0,
            pre_emphasis: frame.preEmphasis)
        let scale = Double(plan.configuration.audio.scale.factor)
        energyFactor = scale * scale
    }

    /// The energy of a frame, Σ x², at the scale of the samples.
    func energy(_ sum: Double) -> Float { Float(sum * energyFactor) }
}
