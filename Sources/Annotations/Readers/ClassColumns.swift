import FeatureModel

/// Columns of classes with `POS`, `NEG` and `UNK`, as DCASE's few-shot task has them: an annotation has the label of every class
/// that it is positive of.
struct ClassColumns {
    let columns: [Int]
    private let names: [String]

    private static let (positive, negative, unknown) = ("POS", "NEG", "UNK")

    /// - Parameter candidates: Columns without another meaning.
    /// - Returns: Nil where no column has these values alone.
    /// - Complexity: Reads all rows once.
    init?(_ table: DelimitedTable, among candidates: [Int]) {
        var possible = Set(candidates)
        var found: Set<Int> = []
        var ignored = AnnotationContent()
        table.forEachRow(&ignored) { row, _ in
            for column in possible {
                guard let value = row[column] else { continue }
                if [Self.positive, Self.negative, Self.unknown].contains(value) {
                    found.insert(column)
                } else {
                    possible.remove(column)
                }
            }
        }
        columns = possible.intersection(found).sorted()
        guard !columns.isEmpty else { return nil }
        names = columns.map { table.header[$0] }
    }

    /// The classes that a row is positive of; takes note of a row of which that is not known, or that has none.
    func labels(of row: DelimitedTable.Row, _ content: inout AnnotationContent) -> [String] {
        let values = columns.map { row[$0] }
        let labels = zip(names, values).filter { $1 == Self.positive }.map(\.0)
        if values.contains(Self.unknown) {
            content.account.add(.annotationsUncertain, source: "", at: row.line, "line \(row.line)")
        } else if labels.isEmpty {
            content.account.add(
                .annotationsUnused, source: "", at: row.line, "line \(row.line) (\(Self.positive) in no column)")
        }
        return labels
    }
}
