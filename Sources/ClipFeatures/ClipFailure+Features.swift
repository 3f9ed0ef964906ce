import FeatureModel
import SignalProcessing

extension ClipFailure {
    /// The failure of a clip whose powers overflow.
    package static let notFinite = ClipFailure(
        .transform,
        "expected finite values, found infinite ones: the samples, or the figures of the section scale, are too large")

    /// The failure of a clip that has no frame.
    ///
    /// - Parameter samples: The clip's length at the plan's rate.
    package static func tooShort(_ plan: FeaturePlan, samples: Int) -> ClipFailure {
        let (least, rate) = (plan.minimumSamples, Int(plan.sampleRate))
        return ClipFailure(
            .transform,
            "expected at least \(least) samples at \(rate) Hz, one frame, found \(samples): the clip is too short")
    }
}
