import FeatureModel
import Platform

/// Which stored values are at the floor: the minimum power that the scale distinguishes from silence.
///
/// That is `scale.floor` under a logarithm, or `scale.top_db` below the clip's maximum where that is more; 0 for `magnitude` and
/// `power`. Other scales, cepstra and deltas have no floor.
struct FloorRule: Sendable {
    let value: Double
    /// Maximum distance of the floor below the clip's maximum; nil: any.
    let range: Double?
    let columns: Int

    /// The rule for rows of `bins` values; nil: there is no floor.
    init?(_ configuration: FeatureConfiguration, bins: Int) {
        let (scale, transform) = (configuration.scale, configuration.transform)
        guard transform.cepstrum == nil else { return nil }
        let bare: Double
        switch scale.kind {
        case .magnitude, .power: bare = 0
        case .db: bare = 10 * log10(scale.floor / scale.reference)
        case .ln: bare = log(scale.floor / scale.reference)
        case .log10: bare = log10(scale.floor / scale.reference)
        case .linear, .complex, .pcen: return nil
        }
        value = min((bare + scale.offset) * scale.factor, scale.limit ?? .infinity)
        let unit: Double =
            switch scale.kind {
            case .ln: log(10.0) / 10
            case .log10: 0.1
            default: 1
            }
        range = scale.topDB.map { $0 * unit * scale.factor }
        columns = bins / (transform.deltas.order + 1)
    }

    /// For each column the maximum stored value that counts as the floor; −∞: none does.
    ///
    /// It allows for rounding: a millionth of the value before normalisation, and the precision of the stored number.
    ///
    /// - Parameters:
    ///   - figures: How the values were normalised; nil: they were not.
    ///   - peaks: The clip's maximum stored value of each column, for a floor that follows the clip.
    func limits(_ figures: NormalizationFigures?, _ element: StoreConfiguration.Element, peaks: [Float]) -> [Float] {
        var floor = value
        if let range {
            let peak = (0..<columns).map { Double(figures?.undo(peaks[$0], bin: $0) ?? peaks[$0]) }.max() ?? value
            floor = max(floor, peak - range)
        }
        let precision = element == .float16 ? 0x1p-10 : 0x1p-20
        return peaks.indices.map { bin in
            guard bin < columns else { return -.infinity }
            let spread = figures.map { Double($0.spread[bin]) } ?? 1
            let stored = (floor - (figures?.offset[bin] ?? 0)) / spread + Double(figures?.base ?? 0)
            return Float(stored + 1e-6 * max(floor.magnitude, 1) / spread + precision * stored.magnitude)
        }
    }
}
