import FeatureModel

/// Rows that are equal as they are, of an array in which others are not.
package struct EqualRows: Hashable, Sendable {
    /// How many are equal, and how many were compared.
    package let count: Int
    package let compared: Int
    /// The longest run of them.
    package let run: Range<Int>
    /// The first that is not equal.
    package let firstOther: Int

    /// The fewest that say something, and their share of all. No wrong row is equal by chance.
    private static let fewest = 8
    private static let share = 0.1

    /// Nil: all rows are equal, or too few that are not the same as the row before them, as those of silence are.
    init?(expected: FeatureMatrix, _ target: Target) {
        let given = target.matrix
        guard given.bins == expected.bins else { return nil }
        let compared = min(given.rows, expected.rows)
        // A value that is far off makes the range of an array a measure in which all rows are equal.
        let own = ValueRange(expected)
        let range = target.range.whole <= own.whole ? target.range : own
        let fit = ValueFit.unchanged(expectedRows: 1, givenRows: 1)
        func row(_ matrix: FeatureMatrix, _ index: Int) -> FeatureMatrix {
            FeatureMatrix(bins: matrix.bins, values: Array(matrix[row: index]))
        }
        let isEqual = (0..<compared).map { index in
            ValueDifference(
                expected: row(expected, index), given: row(given, index), fit, rows: fit.rows, range: range,
                precision: target.precision
            ).isEqual(tolerance: target.tolerance)
        }
        let telling = isEqual.indices.count { index in
            isEqual[index] && (index == 0 || !expected[row: index].elementsEqual(expected[row: index - 1]))
        }
        guard let firstOther = isEqual.firstIndex(of: false), telling >= Self.fewest,
            Double(telling) >= Self.share * Double(compared)
        else { return nil }
        (self.compared, self.firstOther) = (compared, firstOther)
        count = isEqual.count(where: \.self)
        var (longest, start) = (0..<0, 0)
        for end in 1...compared where end == compared || !isEqual[end] || !isEqual[start] {
            if isEqual[start], end - start > longest.count { longest = start..<end }
            start = end
        }
        run = longest
    }
}
