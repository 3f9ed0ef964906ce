import FeatureModel
import Platform
import SignalProcessing

/// A changed configuration, and how well its features fit given values. The features are not kept: they may be large.
struct Candidate: Sendable {
    let variations: [Variation]
    let plan: FeaturePlan
    let signal: RecordingSignals.Kind
    let fit: ValueFit
    /// Whether what it leaves is rounding.
    let isExplained: Bool
    /// What is left and what it took, as nats for each value; the lower, the better.
    let score: Double
}

/// The given array, and the measure of candidates.
struct Target: Sendable {
    let layout: ArrayLayout
    let range: Double
    let tolerance: Double

    var matrix: FeatureMatrix { layout.matrix }

    /// The one value of the last row, as it is written; nil: it has several.
    var endValue: Double? {
        guard let value = matrix.values.last, matrix[row: matrix.rows - 1].allSatisfy({ $0 == value }) else {
            return nil
        }
        return value.isFinite ? Double("\(value)") : nil
    }

    init(_ layout: ArrayLayout, tolerance: Double) {
        self.layout = layout
        self.tolerance = tolerance
        range = ValueDifference.range(layout.matrix)
    }

    /// The square of the residue that a given row without an expected one stands for.
    private static let residueOfMissingRow = 0.01

    /// The best fit of features by any shift and model, and its score; nil: they cannot be compared.
    ///
    /// - Parameter shifts: Of rows; see `RowAlignment`.
    func fit(_ features: FeatureMatrix, changes: Int, shifts: ClosedRange<Int>) -> (fit: ValueFit, score: Double)? {
        guard features.bins == matrix.bins, features.rows > 0 else { return nil }
        var best: (fit: ValueFit, score: Double)?
        for shift in shifts {
            let rows = RowAlignment(shift: shift, expectedRows: features.rows, givenRows: matrix.rows)
            guard rows.count > 0, 2 * rows.count >= min(features.rows, matrix.rows) else { continue }
            let sums = PairSums(expected: features, given: matrix, rows)
            for fit in ValueFit.all(sums, rows, range: range) {
                let score = score(fit, changes: changes)
                if score < best?.score ?? .infinity { best = (fit, score) }
            }
        }
        return best
    }

    /// The logarithm of the residue, and a penalty for each figure that is free, as in Schwarz's criterion.
    private func score(_ fit: ValueFit, changes: Int) -> Double {
        let values = Double(matrix.values.count)
        let rows = fit.rows
        let covered = Double(rows.count) / Double(matrix.rows)
        let square = covered * fit.residue * fit.residue + (1 - covered) * Self.residueOfMissingRow
        let smallest = tolerance / 5
        let ends = (rows.missingAtEnd > 0 ? 1 : 0) + (rows.extraAtEnd > 0 ? 1 : 0)
        let free =
            fit.model.parameters(bins: matrix.bins) + 2 * changes + (rows.shift == 0 ? 0 : 4) + 3 * ends
        return log(max(square.squareRoot(), smallest)) + Double(free) * log(max(values, 3)) / max(values, 3)
    }

    /// The comparison of features without factor and offset; nil: no row has a partner.
    func exact(_ features: FeatureMatrix, _ rows: RowAlignment) -> ValueFit? {
        ValueFit.all(PairSums(expected: features, given: matrix, rows), rows, range: range)
            .first { $0.model == .exact }
    }

    func difference(_ features: FeatureMatrix, _ fit: ValueFit) -> ValueDifference {
        ValueDifference(expected: features, given: matrix, fit, range: range)
    }
}
