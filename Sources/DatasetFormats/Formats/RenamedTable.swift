import Manifests

/// A manifest of which some columns are read as others.
struct RenamedTable: ClipDescribing {
    let input: ManifestInput
    let format: ManifestFormat
    let isTable = true

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        let table = try TableReader(input, quoting: format.quoting)
        while try table.next() {
            if let problem = table.problem {
                clips.addProblem(problem, line: table.line, of: "")
                continue
            }
            var row = DatasetRow()
            row.extra = table.values
            row.isOfHeader = !table.isJSON
            row.hasDecimalComma = table.hasDecimalComma
            try clips.add(row, line: table.line, of: "")
        }
        table.report(to: &clips.account, source: input.name)
    }
}
