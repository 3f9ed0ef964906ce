import FeatureModel

/// How far given values are from expected ones, after a fit.
package struct ValueDifference: Hashable, Sendable {
    /// The value that is farthest off; its row is that of the given array.
    package struct Place: Hashable, Sendable {
        package let row: Int
        package let bin: Int
        package let expected: Double
        package let given: Double
    }

    /// Maximum minus minimum of the given values; where they are all the same, their magnitude, or 1.
    package let range: Double
    /// The greatest difference, as a share of the range.
    package let maximum: Double
    /// The root of the mean square, as a share of the range.
    package let typical: Double
    /// Where the greatest difference is; nil: there are none.
    package let place: Place?
    /// Compared values.
    package let count: Int
    /// Given values that are infinite or not a number, and are not compared.
    package let nonFinite: Int

    /// How many times `tolerance` the greatest difference may be. Programs in single precision are up to that far from double
    /// precision in a few values, where a bin is quiet beside loud ones, and much nearer in all others.
    package static let maximumFactor = 50.0

    /// Whether the values are equal but for rounding.
    ///
    /// - Parameter tolerance: What the root of the mean square may be.
    package func isEqual(tolerance: Double) -> Bool {
        nonFinite == 0 && count > 0 && typical <= tolerance && maximum <= Self.maximumFactor * tolerance
    }

    init(expected: FeatureMatrix, given: FeatureMatrix, _ fit: ValueFit, range: Double) {
        let (rows, width) = (fit.rows, expected.bins)
        var (sum, count, nonFinite) = (0.0, 0, 0)
        var (greatest, index) = (-1.0, 0)
        for pair in 0..<(rows.count * width) {
            let value = Double(given.values[rows.givenStart * width + pair])
            let wanted = fit.value(Double(expected.values[rows.expectedStart * width + pair]), bin: pair % width)
            guard value.isFinite, wanted.isFinite else {
                nonFinite += 1
                continue
            }
            let difference = abs(value - wanted)
            sum += difference * difference
            count += 1
            if difference > greatest { (greatest, index) = (difference, pair) }
        }
        self.range = range
        (self.count, self.nonFinite) = (count, nonFinite)
        maximum = max(greatest, 0) / range
        typical = count > 0 ? (sum / Double(count)).squareRoot() / range : 0
        let offset = rows.expectedStart * width + index
        place =
            count == 0
            ? nil
            : Place(
                row: rows.givenStart + index / width, bin: index % width,
                expected: fit.value(Double(expected.values[offset]), bin: index % width),
                given: Double(given.values[rows.givenStart * width + index]))
    }

    /// The range of the values of a matrix, which differences are shares of.
    static func range(_ matrix: FeatureMatrix) -> Double {
        var (low, high) = (Double.infinity, -Double.infinity)
        for value in matrix.values where value.isFinite {
            low = min(low, Double(value))
            high = max(high, Double(value))
        }
        guard high >= low else { return 1 }
        if high > low { return high - low }
        return high == 0 ? 1 : abs(high)
    }
}
