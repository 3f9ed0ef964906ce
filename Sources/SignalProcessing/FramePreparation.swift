import CKernels
import FeatureModel

/// What happens to a frame before its window: its rest, removal of the mean, energy, pre-emphasis.
///
/// Order and first sample as in Kaldi's `FrameExtractor`: the energy is taken before pre-emphasis and window, or of what they leave.
/// `LaneLoader` does it on the way into lanes.
struct FramePreparation {
    /// The steps, as the loops take them.
    let steps: veery_preparation
    /// What a sum of squares is multiplied by to be an energy at the samples' scale.
    private let energyFactor: Double
    /// The least energy.
    private let energyFloor: Double

    /// - Parameter inputFactor: What samples are multiplied by on their way into the transform, apart from window and scale.
    init(_ plan: FeaturePlan, inputFactor: Double) {
        let frame = plan.configuration.frame
        let cepstrum = plan.configuration.transform.cepstrum
        let isWindowed = cepstrum?.energy == .windowed
        steps = veery_preparation(
            removes_mean: frame.removeDC ? 1 : 0,
            measures_energy: cepstrum?.zeroth != .energy ? 0 : isWindowed ? 2 : 1,
            pre_emphasis: frame.preEmphasis)
        let scale = Double(plan.configuration.audio.scale.factor)
        energyFloor = cepstrum?.energyFloor ?? 0
        // The scale is in the weights of the window.
        energyFactor = isWindowed ? 1 / (inputFactor * inputFactor) : scale * scale
    }

    /// The energy of a frame, Σ x², at the scale of the samples; not a number where the sum is none.
    func energy(_ sum: Double) -> Double { max(sum * energyFactor, energyFloor) }
}
