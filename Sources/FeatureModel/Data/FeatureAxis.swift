/// What the columns of a feature matrix stand for.
public enum FeatureAxis: Hashable, Sendable {
    /// The frequency of each column's centre in Hz. Where columns come in several parts (real and imaginary, deltas), the
    /// frequencies stand once for each part.
    case frequency([Float])
    /// The order of each column's cepstral coefficient, once for each part.
    case coefficient([Float])

    /// The values, one for each column.
    public var values: [Float] {
        switch self {
        case .frequency(let values), .coefficient(let values): values
        }
    }
}
