import FeatureModel
import SignalProcessing

extension ClipFailure {
    /// The failure of a clip that has no frame.
    ///
    /// - Parameter samples: The clip's length at the plan's rate.
    package static func tooShort(_ plan: FeaturePlan, samples: Int) -> ClipFailure {
        .tooShort(minimum: plan.minimumSamples, sampleRate: Int(plan.sampleRate), found: samples)
    }
}
