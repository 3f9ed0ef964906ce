import CKernels
import FeatureModel

/// What happens to a frame before its window: its rest, removal of the mean, energy, pre-emphasis.
///
/// Order and first sample as in Kaldi's `FrameExtractor`: the energy is taken before pre-emphasis and window. The transform over
/// lanes does it on the way (`LaneWindow`); `apply` is for the others.
struct FramePreparation {
    /// The steps, as the loops take them.
    let steps: veery_preparation
    /// Whether samples have a rest.
    let hasRest: Bool
    /// Square of the samples' scale.
    private let energyFactor: Double

    init(_ plan: FeaturePlan) {
        let frame = plan.configuration.frame
        steps = veery_preparation(
            removes_mean: frame.removeDC ? 1 : 0,
            measures_energy: plan.configuration.transform.cepstrum?.zeroth == .energy ? 1 : 0,
            pre_emphasis: frame.preEmphasis)
        hasRest = SignalConditioner.hasRest(plan)
        let scale = Double(plan.configuration.audio.scale.factor)
        energyFactor = scale * scale
    }

    /// Whether frames are left unchanged.
    var isIdentity: Bool {
        steps.removes_mean == 0 && steps.pre_emphasis == 0 && steps.measures_energy == 0 && !hasRest
    }

    /// Writes the prepared samples of a frame, and returns its energy; 0 where it is not needed.
    ///
    /// - Parameters:
    ///   - frame: The samples.
    ///   - rest: Distance from each sample to the number that is added to it in double precision; nil: nothing is added.
    ///   - length: Number of samples.
    ///   - samples: Space for as many.
    func apply(
        _ frame: UnsafePointer<Float>, rest: Int?, length: Int, into samples: UnsafeMutablePointer<Double>,
        kernels: UnsafePointer<veery_kernels> = Kernels.best
    ) -> Float {
        var steps = steps
        return energy(kernels.pointee.prepare(frame, rest ?? 0, length, &steps, samples))
    }

    /// The energy of a frame, Σ x², at the scale of the samples.
    func energy(_ sum: Double) -> Float { Float(sum * energyFactor) }
}
