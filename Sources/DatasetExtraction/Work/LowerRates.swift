import FeatureModel
import Presentation
import SignalProcessing

/// Recordings of a lower rate than features, whose highest bands hold nothing.
package struct LowerRates: Sendable {
    private var count = 0
    /// The lowest of their rates, in Hz.
    private var lowest = Int.max

    package init() {}

    /// Adds recordings.
    ///
    /// - Parameters:
    ///   - rate: Their rate in Hz.
    ///   - number: How many there are.
    package mutating func add(_ rate: Int, _ plan: FeaturePlan, number: Int = 1) {
        guard plan.exceeds(rate) else { return }
        count += number
        lowest = min(lowest, rate)
    }

    /// What they lack, and what can be done; nil: there are none.
    ///
    /// - Parameters:
    ///   - noun: What one of them is called, such as `clip`.
    ///   - model: The model whose input the features are; nil: the one whose preset has this configuration, if any.
    package func warning(of noun: String, _ plan: FeaturePlan, model: ModelInput?) -> String? {
        count == 0
            ? nil
            : plan.warning(
                ofLowerRate: lowest, on: Wording.count(count, noun), isOne: count == 1, model: model)
    }
}
