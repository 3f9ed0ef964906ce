import FeatureModel
import SignalProcessing

/// Whether a clip's values fit the stored type, once they are normalised.
///
/// Every step of normalisation keeps the order of values, so the minimum and the maximum of each bin decide for all, before
/// anything is written.
struct ElementRange {
    /// The maximum magnitude of a half, and that from which values would round to infinity.
    private static let (maximumHalf, overflow): (Float, Float) = (65_504, 65_520)

    /// What is stored, and how.
    let store: StoreConfiguration
    /// Whether rows have rests before they are normalised (`FeaturePlan.hasRests`).
    let hasRests: Bool

    /// That of a plan.
    init(_ plan: FeaturePlan) { (store, hasRests) = (plan.configuration.store, plan.hasRests) }

    /// Whether the stored type cannot hold every value.
    var isLimited: Bool { store.element == .float16 }

    /// Why a clip cannot be stored; nil: it can.
    ///
    /// - Parameters:
    ///   - statistics: The clip's own, before normalisation.
    ///   - normalization: What normalises it.
    func failure(_ statistics: BinStatistics, _ normalization: Normalization) -> ClipFailure? {
        guard isLimited else { return nil }
        let normalizer = normalization.normalizer(for: statistics)
        let extremes =
            normalizer?.extremes(statistics, hasRests: hasRests) ?? statistics.minimum + statistics.maximum
        guard let index = extremes.firstIndex(where: { abs($0) >= Self.overflow }) else { return nil }
        return .valueOutOfRange(
            limit: Int(Self.maximumHalf), found: extremes[index], bin: index % statistics.bins,
            isNormalized: normalizer != nil)
    }
}
