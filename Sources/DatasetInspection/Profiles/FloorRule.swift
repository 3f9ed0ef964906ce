import FeatureModel
import Foundation

/// Which stored values stand for the least power that the scale can tell from silence.
///
/// That is `scale.floor` under a logarithm, or what lies `scale.top_db` below the clip's greatest value where that is more;
/// no power at all for `magnitude` and `power`. Other scales, cepstra and deltas have no such value.
struct FloorRule: Sendable {
    /// The value of the floor before normalisation.
    let value: Double
    /// How far below the clip's greatest value the floor lies at least; nil: any distance.
    let range: Double?
    /// The columns, from the first, that hold such values.
    let columns: Int

    /// The rule for rows of `bins` values; nil where there is no floor.
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

    /// For each column the greatest stored value that counts as the floor; −∞ where there is none.
    ///
    /// What was rounded on the way to the file counts: a millionth of the value before normalisation, and the precision of
    /// the stored number.
    ///
    /// - Parameters:
    ///   - figures: How the values were normalised; nil: they were not.
    ///   - element: The stored number.
    ///   - peaks: The clip's greatest stored value of each column; looked at where the floor follows the clip.
    func limits(
        _ figures: NormalizationFigures?, _ element: StoreConfiguration.Element, peaks: [Float]
    ) -> [Float] {
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
