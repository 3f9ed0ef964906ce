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
    /// Free parameters: those of the fit and the changed keys.
    let freedom: Int
    /// What is left and what it took, as nats for each value; the lower, the better.
    let score: Double
    /// The score with at most one factor and one offset for all values.
    let plainScore: Double
    /// The score with neither.
    let exactScore: Double
}

extension [Candidate] {
    /// The candidates by one of their scores, the best first. Scores that differ by a thousandth of what is left are equal: the one with
    /// fewer free parameters is better, and of equally many, the first.
    func ranked(by score: KeyPath<Candidate, Double>) -> [Candidate] {
        enumerated().map { (rank: ($1[keyPath: score] * 1000).rounded(), offset: $0, candidate: $1) }
            .sorted { ($0.rank, $0.candidate.freedom, $0.offset) < ($1.rank, $1.candidate.freedom, $1.offset) }
            .map(\.candidate)
    }
}
