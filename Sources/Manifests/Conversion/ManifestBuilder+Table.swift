extension ManifestBuilder {
    /// Adds the rows of a table in a format of manifests, whose columns have the names of the builder's map.
    ///
    /// - Parameters:
    ///   - file: What messages call the table; empty: as the dataset.
    ///   - describe: Adds what else is known of a row.
    package func add(
        tableOf input: ManifestInput, format: ManifestFormat, file: String = "",
        describe: (inout DatasetRow) -> Void = { _ in }
    ) throws(ManifestError) {
        let table = try TableReader(input, quoting: format.quoting)
        while try table.next() {
            if let problem = table.problem {
                addProblem(note: problem, line: table.line, of: file)
                continue
            }
            var row = DatasetRow()
            row.extra = table.values
            row.isOfHeader = !table.isJSON
            row.hasDecimalComma = table.hasDecimalComma
            describe(&row)
            try add(row, line: table.line, of: file)
        }
        table.report(to: &account, source: file.isEmpty ? input.name : file)
    }
}
