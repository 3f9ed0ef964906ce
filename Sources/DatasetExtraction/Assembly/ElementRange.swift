import FeatureModel
import SignalProcessing

/// Whether a clip's values have a place in the stored type, once they are normalised.
///
/// Every step of normalisation keeps the order of values, so the least and the greatest value of each bin say it for all,
/// before anything is written.
struct ElementRange {
    /// The greatest magnitude of a half, and that from which values would round to infinity.
    private static let (mostHalf, overflow): (Float, Float) = (65_504, 65_520)

    private let store: StoreConfiguration
    private let isNormalized: Bool

    /// - Parameters:
    ///   - configuration: What is stored, and how.
    init(_ configuration: FeatureConfiguration) {
        store = configuration.store
        isNormalized = configuration.normalize.scope != .none
    }

    /// Whether there is anything to find out.
    var isLimited: Bool { store.element == .float16 }

    /// Why a clip cannot be stored; nil: it can.
    ///
    /// - Parameters:
    ///   - statistics: The clip's own, before normalisation.
    ///   - normalization: What normalises it.
    func failure(_ statistics: BinStatistics, _ normalization: Normalization) -> ClipFailure? {
        guard isLimited else { return nil }
        let normalizer = normalization.normalizer(for: statistics)
        var extremes = statistics.minimum + statistics.maximum
        extremes.withUnsafeMutableBufferPointer { normalizer?.apply($0) }
        guard let place = extremes.firstIndex(where: { abs($0) >= Self.overflow }) else { return nil }
        return .valueOutOfRange(
            limit: Int(Self.mostHalf), found: extremes[place], bin: place % statistics.bins,
            isNormalized: isNormalized)
    }
}
