import FeatureModel
import SignalProcessing

/// What turns expected features into given ones, as far as the search found it.
package struct Explanation: Sendable {
    /// Changes to the configuration; none: a fit alone.
    package let variations: [Variation]
    /// The changed configuration.
    package let configuration: FeatureConfiguration
    /// Factors, offsets and rows.
    package let fit: ValueFit
    /// What the factor and the offset may stand for.
    package let meanings: [FactorMeaning]
    /// Noise that was added to the samples; nil: none is recognised.
    package let random: RandomPart?
    /// What is left.
    package let difference: ValueDifference
    /// Whether what is left is rounding, or noise of the recognised strength.
    package let isComplete: Bool

    init(
        _ candidate: Candidate, _ fit: ValueFit, _ features: TrialFeatures, _ target: Target, random: RandomPart?
    ) {
        variations = candidate.variations
        configuration = candidate.plan.configuration
        self.fit = fit
        difference = target.difference(features, fit)
        self.random = random
        isComplete =
            random == nil
            ? difference.isEqual(tolerance: target.tolerance) && fit.rows.isNearlyComplete
            : difference.nonFinite == 0 && fit.rows.isComplete
        meanings =
            fit.model == .affine
            ? FactorMeaning.of(
                factor: fit.factor[0], offset: fit.offset[0], candidate.plan,
                maximum: Double(features.matrix.values.max() ?? 0)) : []
    }
}

/// A change that also makes values nearer, and how near.
package struct Alternative: Sendable {
    package let variations: [Variation]
    /// What was fitted on top of it.
    package let model: FitModel
    package let residue: Double
}

/// What a search found.
package struct SearchOutcome: Sendable {
    /// Why there is no explanation.
    package enum Lack: String, CaseIterable, Codable, Sendable {
        /// None that was tried has rows of this number of bins.
        case bins
        /// Those that have make many more rows than the array has.
        case rows
        /// The recording is too long.
        case work
        /// No finite value has a finite partner.
        case values
        /// None leaves less than half of the difference.
        case little
        /// The same, and the difference is distributed like what single precision loses.
        case singlePrecision = "single_precision"
        /// The array has nothing to do with the features: its values do not follow theirs, whatever the configuration.
        case unrelated
        /// Some rows are equal as they are, others are not, and only factors and offsets bring all a little nearer.
        case someRows = "some_rows"
        /// Most of the difference is where the recording is digitally silent, and noise there; none explains it completely.
        case silence
    }

    /// The best explanation; nil: there is none.
    package internal(set) var explanation: Explanation?
    /// Why there is none; nil: there is one, or it was of another part of the recording.
    package internal(set) var lack: Lack?
    /// Other single changes that explain the array as well: with several recordings, one of them may hold for all.
    var others: [Explanation] = []
    /// The next best single changes.
    package internal(set) var alternatives: [Alternative]
    /// The configuration that the changes are on top of.
    package let base: FeatureConfiguration
    /// Its preset, where it is not the expected configuration.
    package internal(set) var preset: Preset?
    /// Where the array is equal within the tolerance: how many times less the explanation leaves; nil: it is not equal.
    package internal(set) var gain: Double?
    /// Number of configurations that were computed.
    package internal(set) var tried: Int
    /// Whether some were left out, because the recording is long.
    package internal(set) var isCut: Bool

    /// What the explanation leaves; of incomplete ones and of rows without a partner, more.
    var residue: Double {
        guard let explanation else { return .infinity }
        let rows = explanation.fit.rows
        return explanation.difference.typical + (explanation.isComplete ? 0 : 1)
            + (rows.isComplete ? 0 : 0.1) + (explanation.fit.model == .exact ? 0 : 0.01)
    }

    /// Leaves out what was found.
    mutating func leaveOut(because lack: Lack?) {
        (explanation, alternatives, others, self.lack) = (nil, [], [], lack)
    }
}
