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

    /// The classes that a row is positive of. Takes note of a row that has none, and is not an annotation then, and of one that may be of
    /// more classes.
    func labels(of row: DelimitedTable.Row, _ content: inout AnnotationContent) -> [String] {
        let labels = zip(names, columns).filter { row[$1] == Self.positive }.map(\.0)
        let isUncertain = isUncertain(row)
        if labels.isEmpty {
            let found =
                isUncertain ? "\(Self.unknown), and \(Self.positive) of no class" : "\(Self.positive) of no class"
            content.account.add(.annotationsUnused, source: "", at: row.line, "line \(row.line) (\(found))")
        } else if isUncertain {
            content.account.add(.annotationsUncertain, source: "", at: row.line, "line \(row.line)")
        }
        return labels
    }

    /// Whether a row may be of a class that it is not positive of.
    func isUncertain(_ row: DelimitedTable.Row) -> Bool { columns.contains { row[$0] == Self.unknown } }
}
