import FeatureModel

/// The part of a recording whose rows an array has.
package struct RecordingPart: Hashable, Sendable {
    /// Rows of the whole recording.
    package let rows: Range<Int>
    /// When they start and end in the file, in s.
    package let start: Double
    package let end: Double

    /// Given rows by which the part is looked for.
    private static let probes = 32
    /// Rows by which neighbours of the best start are apart from it, which frames that overlap make similar.
    private static let neighbours = 8

    /// The expected row that the given ones start with, by the least squares of a factor and an offset, as a part may have a gain of its
    /// own; nil: no start fits twice as well as all others.
    static func firstRow(of given: FeatureMatrix, in expected: FeatureMatrix) -> Int? {
        let starts = expected.rows - given.rows
        guard given.bins == expected.bins, given.rows > neighbours, starts > neighbours else { return nil }
        let count = min(probes, given.rows)
        let probed = (0..<count).map { $0 * (given.rows - 1) / (count - 1) }
        func selection(_ matrix: FeatureMatrix, from start: Int) -> FeatureMatrix {
            FeatureMatrix(bins: matrix.bins, values: probed.flatMap { matrix[row: start + $0] })
        }
        let wanted = selection(given, from: 0)
        let rows = RowAlignment(shift: 0, expectedRows: count, givenRows: count)
        let residues = (0...starts).map { start in
            let all = PairSums(expected: selection(expected, from: start), given: wanted, rows).all
            return all.count > 0 ? (all.residueOfLine / all.count).squareRoot() : .infinity
        }
        guard let best = residues.indices.min(by: { residues[$0] < residues[$1] }) else { return nil }
        let others = residues.indices.filter { abs($0 - best) > neighbours }.map { residues[$0] }
        guard let next = others.min(), 2 * residues[best] < next else { return nil }
        return best
    }
}
