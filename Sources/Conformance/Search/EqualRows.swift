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

    /// The fewest that say something, and their share of all where they are not in one run. No wrong row is equal by chance.
    private static let fewest = 8
    private static let share = 0.1

    /// Nil: all rows are equal, or too few that differ from the row before them, as those of silence do not.
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
        func isEqual(_ expected: FeatureMatrix, _ given: FeatureMatrix) -> Bool {
            ValueDifference(
                expected: expected, given: given, fit, rows: fit.rows, range: range, precision: target.precision
            ).isEqual(tolerance: target.tolerance)
        }
        let equal = (0..<compared).map { isEqual(row(expected, $0), row(given, $0)) }
        guard let firstOther = equal.firstIndex(of: false) else { return nil }
        func tells(_ index: Int) -> Bool {
            equal[index] && (index == 0 || !isEqual(row(expected, index), row(expected, index - 1)))
        }
        var (longest, start, telling, mostInRun) = (0..<0, 0, 0, 0)
        for end in 1...compared where end == compared || !equal[end] || !equal[start] {
            let inRun = (start..<end).count(where: tells)
            (telling, mostInRun) = (telling + inRun, max(mostInRun, inRun))
            if equal[start], end - start > longest.count { longest = start..<end }
            start = end
        }
        guard telling >= Self.fewest, mostInRun >= Self.fewest || Double(telling) >= Self.share * Double(compared)
        else { return nil }
        (self.compared, self.firstOther) = (compared, firstOther)
        count = equal.count(where: \.self)
        run = longest
    }
}
