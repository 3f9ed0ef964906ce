extension ManifestBuilder {
    /// Adds the rows of a table in a format of manifests, whose columns have the names of the builder's map.
    package func add(tableOf input: ManifestInput, format: ManifestFormat) throws(ManifestError) {
        let table = try TableReader(input, quoting: format.quoting)
        while try table.next() {
            if let problem = table.problem {
                addProblem(problem, line: table.line, of: "")
                continue
            }
            var row = DatasetRow()
            row.extra = table.values
            row.isOfHeader = !table.isJSON
            row.hasDecimalComma = table.hasDecimalComma
            try add(row, line: table.line, of: "")
        }
        table.report(to: &account, source: input.name)
    }
}
