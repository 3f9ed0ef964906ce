import FeatureModel

/// Makes a manifest of a dataset in another format, row by row.
///
/// The rows go to a file without a name, as JSON Lines. The manifest reads them from there, as often as it is asked, so that
/// memory grows by 4 bytes a clip. Its SHA-256 is that of these lines: two datasets of the same clips have one.
package final class ManifestBuilder {
    /// What messages call the dataset.
    package let name: String
    /// Whether the rows are those of a table as the user gave it, whose columns are read by their names.
    private let isTable: Bool
    private var kept: KeptBytes
    private var buffer: [UInt8] = []
    private var origins = RowOrigins()
    private var problems = ProblemList()
    private var columns: ColumnMap
    private var hasDecimalComma = false
    /// The numbers of the rows.
    private var grouped = GroupedNumbers<(file: String, line: Int)>()
    /// Rows so far.
    package private(set) var rowCount = 0
    /// What was read and not used. Names of sources are those of files in the dataset.
    package var account = Account()
    /// Tables and texts that may say something of the recordings, and that nothing has claimed so far.
    package var unclaimed: [UnclaimedFile] = []
    /// Paths of tables in the dataset's folder that the rows are read of, where they could be something else.
    package var tables: [String] = []
    /// The dataset's names of recordings that are not their paths.
    package var names = NamedRecordings()
    /// The recordings of all rows, and the other files that are read, relative to the dataset's folder; nil: nobody asks for them.
    package var used: UsedFiles?

    /// Whether a clip has several labels, in `labels`: then those of the others are there, too.
    package var listsLabels = false

    /// - Parameters:
    ///   - name: What messages call the dataset.
    ///   - columns: Columns of the dataset that are read as others.
    ///   - isTable: Whether the rows are those of a table as the user gave it, whose columns are read by their names.
    /// - Throws: `ManifestError.systemError` where no file can be made.
    package init(name: String, columns: ColumnMap = ColumnMap(), isTable: Bool = false) throws(ManifestError) {
        self.name = name
        self.isTable = isTable
        self.columns = columns
        kept = try KeptBytes(name: name)
    }

    /// Adds a clip, which a line of a file describes.
    package func add(_ row: DatasetRow, line: Int, of file: String) throws(ManifestError) {
        origins.append(line: line, of: file)
        rowCount += 1
        if row.hasDecimalComma { hasDecimalComma = true }
        buffer.append(UInt8(ascii: "{"))
        // So that no other column is taken for that of the recordings.
        if !isTable, row.path.isEmpty, !row.extra.contains(where: { $0.name == ManifestColumn.path.name }) {
            buffer.append(contentsOf: "\"path\":\"\",".utf8)
        }
        let values = renamed(row, line: line, of: file)
        used?.insert(columns.pathName.flatMap { name in values.first { $0.name == name }?.value } ?? row.path)
        for (index, (name, value)) in values.enumerated() {
            if index > 0 { buffer.append(Byte.comma) }
            JSONText.append(name.utf8, to: &buffer)
            buffer.append(UInt8(ascii: ":"))
            var value = value
            if row.hasDecimalComma, let column = ManifestColumn(name: name), ManifestColumn.numbers.contains(column) {
                grouped.take(value, column, at: (file, line))
                value = FieldValue.withPoint(value) ?? value
            }
            JSONText.append(value.utf8, to: &buffer)
        }
        buffer.append(contentsOf: "}\n".utf8)
        if buffer.count >= BlockReader.blockSize { try flush() }
    }

    /// Whether the labels of the rows are the names of folders, although their table may have a column of them.
    package var takesFolderLabels = false

    /// Says where the recordings are that the rows name.
    package func locatePaths(by locating: @escaping ColumnMap.Locating) { columns.locating = locating }

    /// Whether an option says which column is one of a manifest's.
    package func isNamed(_ column: ManifestColumn) -> Bool { columns.isNamed(column) }

    private func renamed(_ row: DatasetRow, line: Int, of file: String) -> [(name: String, value: String)] {
        do throws(ColumnMap.Refusal) {
            return try columns.renamed(row.values, isHeader: row.isOfHeader)
        } catch {
            problems.add(error.text, line: line, file: file)
            return row.values
        }
    }

    /// Adds a problem: nothing is made of the dataset, and all its problems are reported at once.
    ///
    /// - Parameter line: From 1; 0: of the whole file.
    package func addProblem(_ text: @autoclosure () -> String, line: Int, of file: String) {
        addProblem(note: Note(text()), line: line, of: file)
    }

    /// The same with a text that mentions settings.
    package func addProblem(note text: @autoclosure () -> Note, line: Int, of file: String) {
        problems.add(text(), line: line, file: file)
    }

    /// The manifest.
    ///
    /// - Parameter rowsAccount: The remarks on the rows, if they were read before; nil: those found here.
    /// - Throws: `ManifestError`: all problems at once, also those of values that no manifest may have.
    package func finish(rowsAccount: Account? = nil, idsMayRepeat: Bool = false) throws(ManifestError) -> Manifest {
        try flush()
        if let (place, text) = grouped.problem { addProblem(note: text, line: place.line, of: place.file) }
        if let missing = columns.missing, problems.total == 0 {
            let (columns, tables) = (columns.found, tablesNotRead)
            switch missing {
            case .column(let column, let target):
                throw .missingMappedColumn(path: name, name: column, to: target, columns: columns, tables: tables)
            case .oneHot(let pattern):
                throw .unusedOption(
                    path: name, reason: "no column matches \(setting: .oneHot, quoted(pattern))", columns: columns,
                    tables: tables)
            case .labels:
                throw .unusedOption(
                    path: name,
                    reason:
                        "there is no column 'labels', which \(setting: .labelSeparator) is for; give "
                        + "\(setting: .column(as: "labels"), "COLUMN") for the one that has all labels of a clip",
                    columns: columns, tables: tables)
            }
        }
        guard rowCount > 0 else {
            guard problems.total > 0 else { throw .noClips(path: name) }
            throw .invalidRows(path: name, problems: problems.sorted, total: problems.total)
        }
        if listsLabels || columns.listsLabels { try listLabels() }
        let input = ManifestInput(name: name, kept: kept)
        var scanner = try ManifestScanner(
            input, origins: origins, problems: problems, isTable: isTable, hasDecimalComma: hasDecimalComma)
        scanner.idsMayRepeat = idsMayRepeat
        (scanner.takesFolderLabels, scanner.namesLabels) = (takesFolderLabels, columns.namesLabels)
        var manifest = try scanner.scan()
        columns.report(to: &account, source: name)
        manifest.sourceAccount = account
        if let rowsAccount { manifest.rowsAccount = rowsAccount }
        manifest.unclaimed = unclaimed
        manifest.tables = tables
        manifest.names = names
        return manifest
    }

    /// Tables of the folder in the form of a manifest that were not read: the first few, between quotation marks.
    private var tablesNotRead: [String] {
        unclaimed.map(\.path).filter { ManifestFormat(path: $0) != nil }.prefix(Remark.maximumNames).map(quoted)
    }

    /// Adds a column `labels` to the rows that have a label alone: a row says what `labels` lists, and nothing else.
    private func listLabels() throws(ManifestError) {
        let lines = try LineReader(ManifestInput(name: name, kept: kept))
        kept = try KeptBytes(name: name)
        while try lines.next() {
            var line = lines.bytes
            if let row = try? JSONValue(line: line), row[LabelList.column] == nil,
                let label = row[ManifestColumn.label.name]?.text, !label.isEmpty
            {
                line.removeLast()
                line += ",\"\(LabelList.column)\":".utf8
                JSONText.append(JSONValue.array([.string(label)]).text.utf8, to: &line)
                line.append(UInt8(ascii: "}"))
            }
            buffer += line
            buffer.append(Byte.lineFeed)
            if buffer.count >= BlockReader.blockSize { try flush() }
        }
        try flush()
    }

    private func flush() throws(ManifestError) {
        guard !buffer.isEmpty else { return }
        try kept.append(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
