import FeatureModel

/// How far given values are from expected ones, after a fit.
package struct ValueDifference: Hashable, Sendable {
    /// The value that is farthest off; its row is that of the given array.
    package struct WorstValue: Hashable, Sendable {
        package let row: Int
        package let bin: Int
        package let expected: Double
        package let given: Double
    }

    /// The bin that is farthest off for its own range.
    package struct BinShare: Hashable, Sendable {
        package let bin: Int
        /// The root of the mean square of its differences, as a share of its range.
        package let share: Double
    }

    /// Maximum minus minimum of the given values; where they are all the same, their magnitude, or 1. See `ValueRange` on silence.
    package let range: Double
    /// The greatest difference, as a share of the range.
    package let maximum: Double
    /// The root of the mean square, as a share of the range.
    package let typical: Double
    /// The value with the greatest difference; nil: no values were compared.
    package let worstValue: WorstValue?
    /// Compared values.
    package let count: Int
    /// Given values that are infinite or not a number, and are not compared.
    package let nonFinite: Int

    /// The bin that is farthest off for its own range.
    package let worstBin: BinShare

    /// How many times `tolerance` the greatest difference may be. Programs in single precision are up to that far from double
    /// precision in a few values, where a bin is quiet next to loud ones, and much nearer in all others.
    package static let maximumFactor = 50.0

    /// How many times `tolerance` a bin may be off, as a share of its own range: one bin may hold the range of the whole array, as
    /// the first cepstral coefficient does, and hide what is wrong with another.
    package static let binFactor = 50.0

    /// Whether the values are equal except for rounding.
    ///
    /// - Parameter tolerance: What the root of the mean square may be.
    package func isEqual(tolerance: Double) -> Bool {
        nonFinite == 0 && count > 0 && excesses(tolerance).allSatisfy { $0 <= 1 }
    }

    /// The three measures as shares of their limits.
    private func excesses(_ tolerance: Double) -> [Double] {
        [
            typical / tolerance, maximum / (Self.maximumFactor * tolerance),
            worstBin.share / (Self.binFactor * tolerance),
        ]
    }

    /// Whether this is at most half of another difference, by a measure that is above its limit there.
    func isClearlyLess(than other: ValueDifference, tolerance: Double) -> Bool {
        nonFinite < other.nonFinite
            || zip(excesses(tolerance), other.excesses(tolerance)).contains { $1 > 1 && 2 * $0 <= $1 }
    }

    /// - Parameters:
    ///   - rows: Which row of one matrix belongs to which of the other, if they are excerpts of the matrices that were fitted.
    ///   - range: The range of the given values.
    ///   - precision: Theirs; a difference is the distance from the numbers that are rounded to a value. Nil: itself alone.
    init(
        expected: FeatureMatrix, given: FeatureMatrix, _ fit: ValueFit, rows: RowAlignment, range: ValueRange,
        precision: ValuePrecision? = nil
    ) {
        let width = expected.bins
        var (sum, count, nonFinite) = (0.0, 0, 0)
        var bins = [(sum: Double, count: Int)](repeating: (0, 0), count: width)
        var (greatest, index) = (-1.0, 0)
        for pair in 0..<(rows.count * width) {
            let value = Double(given.values[rows.givenStart * width + pair])
            let wanted = fit.value(Double(expected.values[rows.expectedStart * width + pair]), bin: pair % width)
            guard value.isFinite, wanted.isFinite else {
                nonFinite += 1
                continue
            }
            let difference = max(abs(value - wanted) - (precision?.reach(value) ?? 0), 0)
            sum += difference * difference
            count += 1
            bins[pair % width].sum += difference * difference
            bins[pair % width].count += 1
            if difference > greatest { (greatest, index) = (difference, pair) }
        }
        self.range = range.whole
        (self.count, self.nonFinite) = (count, nonFinite)
        maximum = max(greatest, 0) / range.whole
        typical = count > 0 ? (sum / Double(count)).squareRoot() / range.whole : 0
        let shares = bins.indices.map { (bins[$0].sum / Double(max(bins[$0].count, 1))).squareRoot() / range.bins[$0] }
        let worst = shares.indices.max { shares[$0] < shares[$1] } ?? 0
        worstBin = BinShare(bin: worst, share: shares.isEmpty ? 0 : shares[worst])
        let offset = rows.expectedStart * width + index
        worstValue =
            count == 0
            ? nil
            : WorstValue(
                row: rows.givenStart + index / width, bin: index % width,
                expected: fit.value(Double(expected.values[offset]), bin: index % width),
                given: Double(given.values[rows.givenStart * width + index]))
    }
}

/// The ranges of given values, which differences are shares of.
struct ValueRange: Sendable {
    /// Maximum minus minimum; where all values are the same, their magnitude, or 1.
    let whole: Double
    /// Maximum minus minimum of each bin, but not less than `least` of the whole: of a bin that hardly changes, rounding is a large share.
    let bins: [Double]

    private static let least = 1e-3
    /// Up to this extent, as a share of the magnitude where that is above 1, values are the same except for rounding.
    private static let roundingOfConstant = 1e-6

    /// Whether features are of one value except for rounding, as those of silence are: they have no range.
    static func isRounding(_ matrix: FeatureMatrix) -> Bool {
        guard let low = matrix.values.min(), let high = matrix.values.max() else { return false }
        return isRounding(Double(low), Double(high))
    }

    private static func isRounding(_ low: Double, _ high: Double) -> Bool {
        high >= low && high - low <= roundingOfConstant * max(abs(low), abs(high), 1)
    }

    /// - Parameter isOfConstant: Whether values of one value are expected: where they are that except for rounding, their range is 1,
    ///   or their magnitude if that is greater.
    init(_ matrix: FeatureMatrix, isOfConstant: Bool = false) {
        var lows = [Double](repeating: .infinity, count: matrix.bins)
        var highs = [Double](repeating: -.infinity, count: matrix.bins)
        for (index, value) in matrix.values.enumerated() where value.isFinite {
            let bin = index % matrix.bins
            lows[bin] = min(lows[bin], Double(value))
            highs[bin] = max(highs[bin], Double(value))
        }
        let (low, high) = (lows.min() ?? .infinity, highs.max() ?? -.infinity)
        let whole =
            isOfConstant && Self.isRounding(low, high)
            ? max(abs(low), abs(high), 1) : high > low ? high - low : high == low && high != 0 ? abs(high) : 1
        self.whole = whole
        bins = zip(lows, highs).map { $1 >= $0 ? max($1 - $0, Self.least * whole) : whole }
    }
}
