import FeatureModel
import FileIO

/// The first reading of a manifest, which checks every row.
struct ManifestScanner {
    /// How many repeated hashes are checked in a second reading. Further ones are only counted: two ids share a hash by
    /// accident once in 400,000 manifests of ten million clips.
    private static let suspectLimit = 1000

    private let input: ManifestInput
    private let format: ManifestFormat
    /// Where the rows come from; nil: they are the input's own.
    private let origins: RowOrigins?
    private let parser: any RowParser
    private let hash: (UnsafeRawBufferPointer) -> UInt64
    private var row = ManifestRow()
    private var interpreter = RowInterpreter()
    private var problems = ProblemList()

    private var clipCount = 0
    private var labels = NameTable()
    private var labelLists = LabelListTally()
    private var nameWidth = 0
    private var splits = NameTable()
    private var widths: [Int] = []
    private var idWidth = 0
    private var hashes = HashSet64()
    private var suspects: Set<UInt64> = []
    private var uncheckedRepetitions = 0
    private var pathHints = PathHints()
    /// Whether clips have starts or ends, and lengths alone.
    private var (hasParts, hasLengths) = (false, false)
    private var namesMediaFiles = false
    /// A second column of ends.
    private var secondEnd = SecondEnd()
    /// Whether the columns of a table are read by their names; otherwise a format says which are times.
    private let isTable: Bool
    /// Whether the numbers of a table, from which the rows were made, may have a decimal comma.
    private let hasDecimalComma: Bool
    /// Whether rows may have one id: nothing is stored under those of annotations.
    var idsMayRepeat = false
    /// Whether labels are the names of folders, although the table may have a column of them.
    var takesFolderLabels = false
    /// Whether an option says which columns are all labels of a clip.
    var namesLabels: Bool {
        get { labelLists.areNamed }
        set { labelLists.areNamed = newValue }
    }
    /// What the other columns hold.
    private var firstValues = FirstValues()

    /// Opens the file and reads its header. `hash` is replaced in tests only.
    init(
        _ input: ManifestInput, format: ManifestFormat, hash: @escaping (UnsafeRawBufferPointer) -> UInt64 = xxh3
    ) throws(ManifestError) {
        self.hash = hash
        self.input = input
        self.format = format
        (origins, isTable, hasDecimalComma) = (nil, true, false)
        parser = try makeRowParser(input, format: format)
    }

    /// Reads rows that were made of a dataset in another format, in JSON Lines.
    ///
    /// - Parameters:
    ///   - isTable: Whether its columns have the names of the table that the user gave.
    ///   - hasDecimalComma: Whether that table's numbers may have a decimal comma.
    init(
        _ input: ManifestInput, origins: RowOrigins, problems: ProblemList, isTable: Bool, hasDecimalComma: Bool
    ) throws(ManifestError) {
        hash = xxh3
        (self.isTable, self.hasDecimalComma) = (isTable, hasDecimalComma)
        self.input = input
        format = .jsonLines
        self.origins = origins
        self.problems = problems
        self.problems.origins = origins
        parser = try makeRowParser(input, format: format)
    }

    mutating func scan() throws(ManifestError) -> Manifest {
        while try parser.next(into: &row) {
            if hasDecimalComma { row.hasDecimalComma = true }
            take()
        }
        guard clipCount > 0 else { throw format == .jsonLines ? .empty(path: input.name) : .noRows(path: input.name) }
        let extraColumns = parser.extraColumns
        try requirePathColumn(extraColumns)
        let others = firstValues.columns(extraColumns)
        let timeColumns = TimeColumns(isTable ? others : [], has: parser.has)
        if let problem = timeColumns.problem { problems.add(Note(problem), line: 1) }
        if let (line, text) = interpreter.grouped.problem { problems.add(text, line: line) }
        if isTable, let (line, text) = secondEnd.problem { problems.add(text, line: line) }
        if labelLists.slot != nil, labels.count > LabelList.maximumLabels {
            problems.add(
                "the column 'labels' has \(labels.count) names; expected at most \(LabelList.maximumLabels). If it holds "
                    + "something else, rename it", line: 1)
        }
        if !suspects.isEmpty { try findDuplicates(TimeColumns(others, has: parser.has).advice) }
        guard problems.total == 0 else {
            throw .invalidRows(path: input.name, problems: problems.sorted, total: problems.total)
        }
        return manifest(extraColumns, timeColumns)
    }

    private mutating func take() {
        clipCount += 1
        let before = problems.total
        interpreter.interpret(row, problems: &problems)
        guard row.problem == nil else { return }
        if let segment = interpreter.segment {
            if segment.isLengthAlone { hasLengths = true } else { hasParts = true }
        }
        firstValues.take(row, count: parser.extraSlots)
        secondEnd.take(row, interpreter.segment, parser)
        // The id of a row whose times are wrong may be wrong too.
        if problems.total == before { takeID() }
        takeNames()
    }

    private mutating func takeID() {
        idWidth = max(idWidth, interpreter.id.count)
        guard !idsMayRepeat else { return }
        let hash = interpreter.id.withUnsafeBytes(hash)
        guard !hashes.insert(hash), !suspects.contains(hash) else { return }
        if suspects.count < Self.suspectLimit { suspects.insert(hash) } else { uncheckedRepetitions += 1 }
    }

    private mutating func takeNames() {
        let slots = ManifestColumn.allCases.count + parser.extraSlots
        while widths.count < slots { widths.append(0) }
        for slot in 0..<slots { widths[slot] = max(widths[slot], row.width(slot)) }
        row.withBytes(ManifestColumn.path.rawValue) { path in
            pathHints.take(path, line: row.line)
            if !namesMediaFiles { namesMediaFiles = MediaFile.mayBeRead(path) }
        }
        let (label, split) = (ManifestColumn.label.rawValue, ManifestColumn.split.rawValue)
        if row.width(label) > 0 { row.withBytes(label) { _ = labels.insert($0) } }
        takeLabels()
        if row.width(split) > 0 { row.withBytes(split) { _ = splits.insert($0) } }
    }

    private mutating func takeLabels() {
        labelLists.find(in: parser)
        guard let slot = labelLists.slot else { return }
        do throws(LabelList.Failure) {
            let names = try LabelList.names(row.bytes[row.range(slot)])
            for name in names {
                _ = labels.insert(name)
                nameWidth = max(nameWidth, name.utf8.count)
            }
            labelLists.take(names, of: row)
        } catch {
            problems.add(Note(error.text), line: row.line)
        }
    }

    /// JSON Lines have no header that would show a missing column at once.
    private func requirePathColumn(_ extraColumns: [String]) throws(ManifestError) {
        guard format == .jsonLines, !parser.has(.path) else { return }
        let columns = ManifestColumn.allCases.filter(parser.has).map(\.name) + extraColumns
        guard !columns.isEmpty else { return }
        let values = firstValues.columns(extraColumns).map { ($0.name, $0.text) }
        throw .missingPathColumn(
            path: input.name, columns: columns, suggestion: ColumnNames.suggestedPath(among: values))
    }

    /// What to do where a recording has several rows, and no column seems to say which part of it is meant.
    private static let repetitionAdvice: Note =
        "if the rows are parts of the recording, say which columns are their times (\(setting: .column(as: "start"), "NAME") \(setting: .column(as: "end"), "NAME")); if each is the whole recording, \(idAdvice)"
    private static let idAdvice: Note = "give the clips different ids in a column 'id'"

    /// Reads the file again, to distinguish equal ids from ids with equal hashes.
    ///
    /// - Parameter timeAdvice: Why a recording may have several rows; nil: not known.
    private mutating func findDuplicates(_ timeAdvice: Note?) throws(ManifestError) {
        let again = try makeRowParser(input, format: format)
        var firstLines: [[UInt8]: Int] = [:]
        while try again.next(into: &row) {
            var rowProblems = ProblemList()
            interpreter.interpret(row, problems: &rowProblems)
            let hash = interpreter.id.withUnsafeBytes(hash)
            guard rowProblems.total == 0, suspects.contains(hash) else { continue }
            if let first = firstLines[interpreter.id] {
                let id = String(decoding: interpreter.id, as: UTF8.self)
                let advice: Note =
                    !row.range(.id).isEmpty
                    ? folderAdvice(first, row.line, isFirst: problems.total == 0)
                    : "; " + (timeAdvice ?? (parser.has(.start) ? Self.idAdvice : Self.repetitionAdvice))
                let owner = describe(row: first)
                problems.add("the id \(quoted(id)) is that of \(owner) already\(advice)", line: row.line)
            } else {
                firstLines[interpreter.id] = row.line
            }
        }
        problems.count(uncheckedRepetitions)
        guard again.source.sha256 == parser.source.sha256 else {
            throw .changedWhileReading(path: input.name, detail: "its second reading gave other bytes than the first")
        }
    }

    /// What to do where two folders of a dataset have the same clips, such as a copy or a link: said once.
    private func folderAdvice(_ first: Int, _ second: Int, isFirst: Bool) -> Note {
        guard isFirst, let origins else { return "" }
        let (one, other) = (origins.origin(row: first).file, origins.origin(row: second).file)
        guard one.contains("/"), other.contains("/"), Folder.containing(one) != Folder.containing(other) else {
            return ""
        }
        let folder = ShellText.word(input.name + "/" + Folder.containing(one))
        return "; where two folders have the same clips, give one of them, such as \(folder)"
    }

    /// A row's origin, for a message.
    private func describe(row: Int) -> String {
        guard let (file, line) = origins?.origin(row: row) else { return "line \(row)" }
        if file.isEmpty { return "line \(line)" }
        return line > 0 ? "\(file), line \(line)," : file
    }

    /// The file, if it is not the manifest, and the line of a row, for a remark.
    private func location(ofRow row: Int) -> String {
        let (file, line) = origins?.origin(row: row) ?? ("", row)
        return (file.isEmpty ? "" : file + ", ") + "line \(line)"
    }

    private var columns: [ManifestColumn] {
        let hasEnd = parser.has(.end) || hasParts && parser.has(.duration)
        return ManifestColumn.allCases.filter { column in
            switch column {
            case .path, .id, .label: true
            case .split, .channel, .overshoot, .recordingDuration, .recordingSamples, .recordingRate: parser.has(column)
            case .start: parser.has(.start) || hasEnd
            case .end: hasEnd
            // A length without a start is kept as a length.
            case .duration: hasLengths
            }
        }
    }

    private func manifest(_ extraColumns: [String], _ timeColumns: TimeColumns) -> Manifest {
        let known = ManifestColumn.allCases.count
        func width(_ column: ManifestColumn) -> Int { widths[column.rawValue] }
        return Manifest(
            input: input, format: format, clipCount: clipCount, extraColumns: extraColumns,
            columns: columns, hasLabelColumn: parser.has(.label), hasSplitColumn: parser.has(.split),
            hasChannelColumn: parser.has(.channel),
            labels: (0..<labels.count).map { labels[$0] }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
            splits: (0..<splits.count).map { Split(name: splits[$0], clipCount: splits.insertions[$0]) },
            widths: TextWidths(
                id: idWidth, path: width(.path), label: max(width(.label), nameWidth), split: width(.split),
                extra: extraColumns.indices.map { known + $0 < widths.count ? widths[known + $0] : 0 }),
            sha256: parser.source.sha256, byteCount: parser.source.byteCount, namesMediaFiles: namesMediaFiles,
            rowsAccount: account(extraColumns, timeColumns), origins: origins)
    }

    private func account(_ extraColumns: [String], _ timeColumns: TimeColumns) -> Account {
        let source = Manifest.remarkSource
        var account = Account()
        if !isTable, let (line, text) = secondEnd.problem {
            account.add(.timesDisagree, source: source, at: line, note: "\(location(ofRow: line)) (\(text))")
        }
        // Columns that differ from a known one only in case or blanks.
        let others = firstValues.columns(extraColumns)
        for (index, name) in extraColumns.enumerated() {
            if name != LabelList.column, LabelList.isColumn(name, among: extraColumns) {
                account.add(.columnsMisspelt, source: source, at: index, "\(quoted(name)) (not '\(LabelList.column)')")
            } else if let known = ManifestColumn(spelled: name) {
                if parser.has(known) {
                    account.add(
                        .columnsChosen, source: source, at: index, "'\(known.name)', and not \(quoted(name))")
                } else {
                    account.add(.columnsMisspelt, source: source, at: index, "\(quoted(name)) (not '\(known.name)')")
                }
            } else if isTable {
                reportUnread(others[index], at: index, to: &account)
            }
        }
        timeColumns.report(to: &account, source: source)
        parser.report(to: &account, source: source)
        pathHints.report(to: &account, source: source)
        labelLists.report(to: &account, source: source, location: location)
        return account
    }

    /// Takes note of a column that is kept as it is, and whose name is common for recordings or labels.
    private func reportUnread(_ column: OtherColumn, at index: Int, to account: inout Account) {
        let name = column.name
        if ColumnNames.isPath(name), RecordingName.isRecording(column.text) {
            let option: Note = pathHints.hasAddress ? " (\(setting: .column(as: "path"), name))" : ""
            account.add(
                .columnsChosen, source: Manifest.remarkSource, at: index,
                note: "\(quoted(parser.pathColumn)), and not \(quoted(name))\(option)")
        } else if !parser.has(.split), ColumnNames.maySplit(name, value: column.text) {
            account.add(
                .splitsUnread, source: Manifest.remarkSource, at: index,
                note: "\(quoted(name)) (\(setting: .column(as: "split"), name))")
        } else if labels.count == 0 || takesFolderLabels && labelLists.slot == nil,
            ColumnNames.mayBeLabel(name, value: column.text)
        {
            account.add(
                .labelsUnread, source: Manifest.remarkSource, at: index,
                note:
                    "\(quoted(name)) (\(setting: .column(as: "label"), name)\(takesFolderLabels ? " instead of the names of folders" : ""))"
            )
        }
    }
}
