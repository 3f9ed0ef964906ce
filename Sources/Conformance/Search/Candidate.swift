import FeatureModel
import SignalProcessing

/// A changed configuration, and how well its features fit given values. The features are not kept: they may be large.
struct Candidate: Sendable {
    let variations: [Variation]
    let plan: FeaturePlan
    let signal: RecordingSignals.Kind
    let fit: ValueFit
    /// Whether what it leaves is rounding.
    let isExplained: Bool
    /// What is left and what it took, as nats for each value; the lower, the better.
    let score: Double
    /// The score with at most one factor and one offset for all values.
    let plainScore: Double
}
