import FeatureModel
import Platform

/// The given array, or an excerpt of it, and the measure of candidates.
struct Target: Sendable {
    /// The array as rows of bins.
    let layout: ArrayLayout
    /// The rows that are compared; nil: all.
    let excerpt: Excerpt?
    /// These rows.
    let given: FeatureMatrix
    let range: ValueRange
    let tolerance: Double
    /// That of the values, where it is less than single.
    let precision: ValuePrecision?
    /// The root of the mean square by which values were rounded to that, as a share of the range; 0: they were not.
    let rounding: Double
    /// Whether the expected features are of one value, those of silence.
    let isOfConstant: Bool

    var matrix: FeatureMatrix { layout.matrix }

    /// The value of all bins of the last row, as text; nil: they differ.
    var endValue: Double? {
        guard let value = matrix.values.last, matrix[row: matrix.rows - 1].allSatisfy({ $0 == value }) else {
            return nil
        }
        return value.isFinite ? Double("\(value)") : nil
    }

    /// Values that have to be the least one for that to be a limit.
    private static let fewestAtLimit = 3

    /// The least value where several have it, and the greatest; nil: the least is no limit.
    var limits: (least: Double, greatest: Double)? {
        var (least, greatest, count) = (Float.infinity, -Float.infinity, 0)
        for value in matrix.values where value.isFinite {
            greatest = max(greatest, value)
            if value == least { count += 1 }
            if value < least { (least, count) = (value, 1) }
        }
        return count >= Self.fewestAtLimit && least < greatest ? (Double(least), Double(greatest)) : nil
    }

    /// - Parameters:
    ///   - isOfConstant: Whether the expected features are of one value; see `ValueRange`.
    ///   - isSingle: Whether the precision is known to be single.
    init(_ layout: ArrayLayout, tolerance: Double, isOfConstant: Bool = false, isSingle: Bool = false) {
        self.layout = layout
        self.tolerance = tolerance
        self.isOfConstant = isOfConstant
        (excerpt, given) = (nil, layout.matrix)
        range = ValueRange(layout.matrix, isOfConstant: isOfConstant)
        precision = isSingle ? nil : ValuePrecision.found(in: layout.matrix.values)
        rounding = if let precision { precision.rounding(of: layout.matrix) / range.whole } else { 0 }
    }

    private init(_ target: Target, _ excerpt: Excerpt) {
        (layout, tolerance, range) = (target.layout, target.tolerance, target.range)
        (precision, rounding, isOfConstant) = (target.precision, target.rounding, target.isOfConstant)
        let width = layout.matrix.bins
        self.excerpt = excerpt
        given = FeatureMatrix(
            bins: width,
            values: Array(layout.matrix.values[(excerpt.rows.lowerBound * width)..<(excerpt.rows.upperBound * width)]))
    }

    /// The same, by some rows alone.
    func by(_ excerpt: Excerpt) -> Target { Target(self, excerpt) }

    /// The same, with another tolerance.
    func within(_ tolerance: Double) -> Target {
        Target(layout, tolerance: tolerance, isOfConstant: isOfConstant, isSingle: precision == nil)
    }

    /// The square of the residue that a given row without an expected one counts as.
    private static let residueOfMissingRow = 0.01

    /// The rows of `features.matrix` and `given` that belong together by an alignment of all rows.
    func pairs(_ features: TrialFeatures, _ rows: RowAlignment) -> RowAlignment {
        guard excerpt != nil else { return rows }
        return RowAlignment(
            shift: rows.shift + features.lead, expectedRows: features.matrix.rows, givenRows: given.rows)
    }

    /// The best fit of features by any shift and model, its score, and the best scores without factors of bins and without any; nil:
    /// they cannot be compared.
    ///
    /// - Parameter shifts: The shifts of rows to try; see `RowAlignment`.
    func fit(
        _ features: TrialFeatures, changes: Int, shifts: ClosedRange<Int>
    ) -> (fit: ValueFit, score: Double, plainScore: Double, exactScore: Double)? {
        guard features.matrix.bins == matrix.bins, features.matrix.rows > 0 else { return nil }
        var best: (fit: ValueFit, score: Double)?
        var (plainScore, exactScore) = (Double.infinity, Double.infinity)
        for shift in shifts {
            let rows = RowAlignment(shift: shift, expectedRows: features.rows, givenRows: matrix.rows)
            guard rows.count > 0, 2 * rows.count >= min(features.rows, matrix.rows) else { continue }
            for fit in fits(features, rows) {
                let score = score(fit, changes: changes)
                if score < best?.score ?? .infinity { best = (fit, score) }
                if fit.model == .exact || fit.model == .affine { plainScore = min(plainScore, score) }
                if fit.model == .exact { exactScore = min(exactScore, score) }
            }
        }
        return best.map { ($0.fit, $0.score, plainScore, exactScore) }
    }

    /// The fits of all models for an alignment of all rows.
    func fits(_ features: TrialFeatures, _ rows: RowAlignment) -> [ValueFit] {
        let sums = PairSums(expected: features.matrix, given: given, pairs(features, rows))
        return ValueFit.all(sums, rows, range: range.whole)
    }

    /// The logarithm of the residue, with a penalty for each free parameter, as in Schwarz's criterion.
    private func score(_ fit: ValueFit, changes: Int) -> Double {
        let values = Double(matrix.values.count)
        let rows = fit.rows
        let covered = Double(rows.count) / Double(matrix.rows)
        let square = covered * fit.residue * fit.residue + (1 - covered) * Self.residueOfMissingRow
        let smallest = tolerance / 5
        let free = Double(freedom(fit, changes: changes))
        return log(max(square.squareRoot(), smallest)) + free * log(max(values, 3)) / max(values, 3)
    }

    /// Free parameters of a fit with changed keys, each of which counts as two.
    func freedom(_ fit: ValueFit, changes: Int) -> Int {
        let rows = fit.rows
        let ends = (rows.missingAtEnd > 0 ? 1 : 0) + (rows.extraAtEnd > 0 ? 1 : 0)
        return fit.model.parameters(bins: matrix.bins) + 2 * changes + (rows.shift == 0 ? 0 : 4) + 3 * ends
    }

    /// Up to this coefficient, ranks have nothing to do with one another.
    private static let unrelated = 0.1
    /// The fewest values that tell.
    private static let fewestValues = 100

    /// Whether given values follow expected ones neither altogether nor from row to row, within the bins.
    func isUnrelated(to features: TrialFeatures, _ rows: RowAlignment) -> Bool {
        let (pairs, bins) = (pairs(features, rows), given.bins)
        guard pairs.count * bins >= Self.fewestValues else { return false }
        var all: (expected: [Float], given: [Float]) = ([], [])
        var sum = 0.0
        for bin in 0..<bins {
            let finite = (0..<pairs.count).compactMap { row -> (expected: Float, given: Float)? in
                let expected = features.matrix[pairs.expectedStart + row, bin]
                let value = given[pairs.givenStart + row, bin]
                return expected.isFinite && value.isFinite ? (expected, value) : nil
            }
            let (expected, values) = (finite.map(\.expected), finite.map(\.given))
            all.expected += expected
            all.given += values
            sum += RankCorrelation.of(expected, values)
        }
        return abs(sum) <= Self.unrelated * Double(bins)
            && abs(RankCorrelation.of(all.expected, all.given)) <= Self.unrelated
    }

    func difference(_ features: TrialFeatures, _ fit: ValueFit) -> ValueDifference {
        ValueDifference(
            expected: features.matrix, given: given, fit, rows: pairs(features, fit.rows), range: range,
            precision: precision)
    }
}

/// Features of a configuration that is tried, of all rows or of an excerpt.
struct TrialFeatures: Sendable {
    let matrix: FeatureMatrix
    /// Rows of the matrix before that of the first given one.
    let lead: Int
    /// Rows that the whole clip has.
    let rows: Int

    /// The target is the whole clip.
    init(_ matrix: FeatureMatrix) { (self.matrix, lead, rows) = (matrix, 0, matrix.rows) }

    /// The target is an excerpt.
    init(_ matrix: FeatureMatrix, lead: Int, rows: Int) { (self.matrix, self.lead, self.rows) = (matrix, lead, rows) }
}
