import Manifests

/// The rows of a dataset's table.
struct TableRows {
    /// The values of a row. Values that were not asked for remain in `others`.
    struct Values {
        fileprivate(set) var others: [(name: String, value: String)]

        /// Takes the value of a column; empty: there is none.
        subscript(name: String) -> String {
            mutating get {
                guard let index = others.firstIndex(where: { $0.name == name }) else { return "" }
                return others.remove(at: index).value
            }
        }

        /// The value of a column, which remains in `others`; empty: there is none.
        func kept(_ name: String) -> String { others.first { $0.name == name }?.value ?? "" }
    }

    /// Why a row describes no clip, in words.
    struct Refusal: Error { let text: String }

    private let input: ManifestInput
    private let format: DatasetFormat
    private let needed: [String]

    /// - Parameter needed: Columns without which there are no clips.
    init(_ input: ManifestInput, _ format: DatasetFormat, _ needed: String...) {
        (self.input, self.format, self.needed) = (input, format, needed)
    }

    /// Adds a clip for every row.
    ///
    /// - Parameter describe: Takes the values of a row, and describes its clip. What it throws is a problem of the row.
    /// - Throws: `ManifestError` where the table cannot be opened, or lacks a column.
    func add(
        to clips: ManifestBuilder, describe: (inout Values, inout DatasetRow) throws(Refusal) -> Void
    ) throws(ManifestError) {
        let table = try TableReader(input)
        let path = input.name
        let file = path == clips.name ? "" : path.lastName
        if !table.isJSON, let missing = needed.first(where: { !table.columns.contains($0) }) {
            throw .missingColumn(path: path, name: missing, format: format.title, columns: table.columns)
        }
        while try table.next() {
            if let problem = table.problem {
                clips.addProblem(note: problem, line: table.line, of: file)
                continue
            }
            if let missing = needed.first(where: { (table[$0] ?? "").isEmpty }) {
                clips.addProblem("\(missing) is empty", line: table.line, of: file)
                continue
            }
            var values = Values(others: table.values)
            var row = DatasetRow()
            row.hasDecimalComma = table.hasDecimalComma
            do throws(Refusal) { try describe(&values, &row) } catch {
                clips.addProblem(error.text, line: table.line, of: file)
                continue
            }
            try clips.add(row, line: table.line, of: file)
        }
        table.report(to: &clips.account, source: path.lastName)
    }
}
