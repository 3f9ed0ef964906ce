/// Features of one clip: a row for each frame, a column for each bin.
public struct FeatureMatrix: Hashable, Sendable {
    /// Number of frames.
    public let rows: Int
    /// Values in a frame.
    public let bins: Int
    /// The values, `rows` × `bins`, row after row.
    public private(set) var values: [Float]

    /// Takes `values` as rows of `bins` values each.
    ///
    /// - Precondition: `bins` is positive and divides the number of values.
    public init(bins: Int, values: [Float] = []) {
        precondition(bins > 0 && values.count % bins == 0, "a matrix needs whole rows")
        self.bins = bins
        self.rows = values.count / bins
        self.values = values
    }

    /// The value of a bin in a row.
    ///
    /// - Precondition: both indices lie within the matrix.
    public subscript(row: Int, bin: Int) -> Float {
        get {
            precondition((0..<bins).contains(bin), "bin out of range")
            return values[row * bins + bin]
        }
        set {
            precondition((0..<bins).contains(bin), "bin out of range")
            values[row * bins + bin] = newValue
        }
    }

    /// The values of a row.
    public subscript(row row: Int) -> ArraySlice<Float> { values[row * bins..<(row + 1) * bins] }
}

/// The meaning of a feature matrix's columns.
public enum FeatureAxis: Hashable, Sendable {
    /// The frequency of each column's centre in Hz. Where columns come in several parts (real and imaginary, deltas), the
    /// frequencies are repeated for each part.
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
