import FeatureModel

/// Rows of fields between commas or tabs, quoted after RFC 4180 or literal, read byte by byte.
///
/// Quoted fields may hold delimiters, line ends and doubled quotation marks; a row that contains a line like a row of its own
/// is refused. Literal fields may hold any quotation marks, and no delimiters or line ends. Lines end in LF or CR LF; blank
/// lines are skipped. Blanks around a field belong to it.
final class DelimitedRowParser: RowParser {
    let source: BlockReader
    private(set) var extraColumns: [String] = []
    private(set) var pathColumn = ManifestColumn.path.name
    private let delimiter: UInt8
    private let isLiteral: Bool
    /// Whether blanks after a delimiter do not belong to the field: so does every name of the header but the first start.
    private let skipsBlanks: Bool
    /// The slot of each field, in the order of the header.
    private var slots: [Int] = []
    /// The fields of the current row.
    private var fields: [Range<Int>] = []
    /// The line of the next byte, from 1.
    private var line = 1
    private var isFinished = false
    private var physicalLines = PhysicalLines()
    private var quotingHint = QuotingHint()
    private var windowsPaths = WindowsPaths()
    private var pathField: Int?
    private let keepsNames: Bool
    /// Maximum number of fields in a row, which bounds the memory for a line of delimiters.
    private static let fieldLimit = 10_000

    /// Reads the header.
    ///
    /// - Parameter keepsNames: Whether all columns are kept under their names, as for a table that is not a manifest.
    init(
        source: BlockReader, delimiter: UInt8, quoting: ManifestFormat.Quoting, keepsNames: Bool = false
    ) throws(ManifestError) {
        self.keepsNames = keepsNames
        self.source = source
        self.delimiter = delimiter
        isLiteral = quoting == .literal
        line = 1 + source.skippedLines
        skipsBlanks = !isLiteral && Self.startWithBlanks(source.firstLine, delimiter)
        try readHeader()
    }

    var extraSlots: Int { extraColumns.count }

    func report(to account: inout Account, source: String) {
        quotingHint.report(to: &account, source: source)
        windowsPaths.report(to: &account, source: source)
    }

    func has(_ column: ManifestColumn) -> Bool { slots.contains(column.rawValue) }

    func next(into row: inout ManifestRow) throws(ManifestError) -> Bool {
        guard try readFields(into: &row) else { return false }
        if row.problem == nil { row.problem = characterProblem(row) }
        guard row.problem == nil else { return true }
        guard fields.count == slots.count else {
            row.problem = describeCount(row)
            return true
        }
        if isLiteral {
            quotingHint.take(row, fields: fields, pathField: pathField)
        } else if let line = physicalLines.lineLikeRow(fields: slots.count) {
            row.problem = describeHiddenRow(line, in: row)
            return true
        }
        for (position, slot) in slots.enumerated() { row.set(slot: slot, to: fields[position]) }
        if let pathField, row.bytes[fields[pathField]].first == UInt8(ascii: "{") {
            row.set(
                slot: ManifestColumn.path.rawValue,
                to: JSONValue.recordingPath(in: row.text(ManifestColumn.path.rawValue)))
        }
        row.hasDecimalComma = delimiter == Byte.semicolon
        windowsPaths.convert(&row)
        return true
    }

    private func characterProblem(_ row: ManifestRow) -> Note? {
        row.characterProblem(fields: fields, isUTF16: source.isUTF16)
    }

    // MARK: - Header

    private func readHeader() throws(ManifestError) {
        let path = source.path
        if !keepsNames, let table = UnreadTable(firstLine: source.firstLine, source.text) {
            throw .unreadTable(path: path, table)
        }
        var row = ManifestRow()
        guard try readFields(into: &row) else { throw .empty(path: path) }
        let hidden = isLiteral ? nil : physicalLines.lineLikeRow(fields: fields.count)
        if let problem = row.problem ?? characterProblem(row)
            ?? hidden.map({ describeHiddenRow($0, in: row) })
        {
            try refuseOtherDelimiter()
            throw .badHeader(path: path, line: row.line, text: problem)
        }
        let names = fields.map { String(decoding: row.bytes[$0], as: UTF8.self) }
        if !keepsNames,
            let table = UnreadTable(
                header: names, line: row.line, next: source.lineAhead, isTSV: delimiter == Byte.tab, source.text)
        {
            throw .unreadTable(path: path, table)
        }
        let pathName = keepsNames ? nil : ColumnNames.path(among: names)
        var known = NameTable()
        for (position, name) in names.enumerated() {
            if name.isEmpty { throw .unnamedColumn(path: path, position: position + 1) }
            guard known.insert(name) == position else { throw .duplicateColumn(path: path, name: name) }
            let column = name == pathName ? .path : ManifestColumn(name: name, among: names)
            if !keepsNames, let column {
                slots.append(column.rawValue)
                if column == .path { (pathField, pathColumn) = (position, name) }
            } else {
                slots.append(ManifestColumn.allCases.count + extraColumns.count)
                let areLabels = !keepsNames && LabelList.isColumn(name, among: names)
                extraColumns.append(areLabels ? LabelList.column : name)
            }
        }
        guard keepsNames || has(.path) else {
            try refuseOtherDelimiter()
            _ = try readFields(into: &row)
            let values = fields.map { String(decoding: row.bytes[$0], as: UTF8.self) }
            let columns = names.enumerated().map { ($1, $0 < values.count ? values[$0] : "") }
            throw .missingPathColumn(path: path, columns: names, suggestion: ColumnNames.suggestedPath(among: columns))
        }
        guard extraColumns.count <= ManifestColumn.extraLimit else {
            throw .tooManyColumns(path: path, limit: ManifestColumn.extraLimit)
        }
    }

    /// - Throws: `ManifestError.otherDelimiter` where another one makes a valid header.
    private func refuseOtherDelimiter() throws(ManifestError) {
        guard let other = HeaderDelimiter.found(in: source.firstLine), other.byte != delimiter else { return }
        throw .otherDelimiter(path: source.path, found: other, format: delimiter == Byte.tab ? .tsv : .csv)
    }

    private func describeCount(_ row: ManifestRow) -> Note {
        let found = "\(fields.count) \(fields.count == 1 ? "field" : "fields")"
        let text: Note = "has \(found); the header has \(slots.count)"
        if isLiteral {
            let hasQuotes = fields.contains {
                row.bytes[$0].first == Byte.quote || row.bytes[$0].last == Byte.quote
            }
            if hasQuotes {
                return text + "; if fields of this file are quoted as in CSV, give \(setting: .quoting, "csv")"
            }
            return fields.count > slots.count ? text + "; a field of a TSV cannot hold a tab" : text
        }
        guard fields.count > slots.count else { return text }
        return text + "; a field that holds the delimiter has to be in quotation marks"
    }

    private func describeHiddenRow(_ hidden: Int, in row: ManifestRow) -> Note {
        let count = slots.isEmpty ? fields.count : slots.count
        let literal: Note = delimiter == Byte.tab ? " (or give \(setting: .quoting, "literal"))" : ""
        return "a quoted field continues past the end of the line, and line \(hidden) in it would be a row of its own"
            + " (\(count) \(count == 1 ? "field" : "fields"), as in the header); if it is one, close the quotation mark"
            + " before it, or double one that belongs to the text\(literal); if the field does hold line ends, write the manifest as JSON Lines"
    }

    /// Whether all names of a header but the first start with a blank.
    private static func startWithBlanks(_ header: [UInt8], _ delimiter: UInt8) -> Bool {
        let names = header.split(separator: delimiter, omittingEmptySubsequences: false).dropFirst()
        return !names.isEmpty && names.allSatisfy { $0.first == Byte.space }
    }

    // MARK: - Fields

    /// Reads the fields of the next row that is not blank; false at the end of the file.
    private func readFields(into row: inout ManifestRow) throws(ManifestError) -> Bool {
        fields.removeAll(keepingCapacity: true)
        row.clear(line: line, slots: ManifestColumn.allCases.count + extraColumns.count)
        guard !isFinished else { return false }
        let start = try skipBlankLines()
        guard start != .endOfFile else { return false }
        row.clear(line: line, slots: 0)
        physicalLines.start(line: line)
        if start == .strayReturn {
            row.problem = strayReturn(field: 1)
            try skipLine()
            return true
        }
        while true {
            if skipsBlanks, !fields.isEmpty { while try source.peek() == Byte.space { source.advance() } }
            let start = row.bytes.count
            if !isLiteral, try source.peek() == Byte.quote {
                try appendQuoted(to: &row)
            } else {
                try appendUnquoted(to: &row)
            }
            fields.append(start..<row.bytes.count)
            if row.problem == nil, fields.count > Self.fieldLimit {
                row.problem = "has more than \(Self.fieldLimit) fields"
            }
            if row.problem == nil, try !finishField(of: &row) { continue }
            if row.problem != nil { try skipLine() }
            return true
        }
    }

    /// Takes what follows a field; true where the row is over.
    private func finishField(of row: inout ManifestRow) throws(ManifestError) -> Bool {
        guard let byte = try source.peek() else { return true }
        if byte == delimiter {
            source.advance()
            physicalLines.takeDelimiter()
            return false
        }
        if try takeLineEnd() { return true }
        switch byte {
        case Byte.carriageReturn: row.problem = strayReturn(field: fields.count)
        case Byte.quote:
            row.problem =
                "a quotation mark inside the unquoted field \(fields.count); put the whole field in quotation marks and"
                + " double those inside"
        default:
            row.problem =
                "text after the closing quotation mark of field \(fields.count); double the quotation marks inside a"
                + " field"
        }
        return true
    }

    private func appendUnquoted(to row: inout ManifestRow) throws(ManifestError) {
        // No byte that ends a field is greater.
        let greatest = max(delimiter, Byte.comma)
        while true {
            let unread = source.unread
            if unread.isEmpty {
                guard try source.fill() else { return }
                continue
            }
            var length = 0
            while length < unread.count {
                let byte = unread[length]
                if byte <= greatest, byte == delimiter || endsField(byte) { break }
                length += 1
            }
            row.append(UnsafeRawBufferPointer(rebasing: unread[..<length]))
            source.advance(length)
            if length < unread.count { return }
            let question = isLiteral ? "is a line end missing?" : "is a quotation mark or a line end missing?"
            guard try continues(&row, question) else { return }
        }
    }

    private func endsField(_ byte: UInt8) -> Bool {
        byte == Byte.lineFeed || byte == Byte.carriageReturn || byte == Byte.quote && !isLiteral
    }

    private func appendQuoted(to row: inout ManifestRow) throws(ManifestError) {
        let firstLine = line
        source.advance()
        while true {
            let unread = source.unread
            if unread.isEmpty {
                guard try source.fill() else {
                    row.problem =
                        "the quotation mark that opens field \(fields.count + 1) in line \(firstLine) is never closed"
                    return
                }
                continue
            }
            var length = 0
            while length < unread.count, unread[length] != Byte.quote {
                if unread[length] == Byte.lineFeed { line += 1 }
                length += 1
            }
            physicalLines.take(UnsafeRawBufferPointer(rebasing: unread[..<length]), delimiter: delimiter)
            row.append(UnsafeRawBufferPointer(rebasing: unread[..<length]))
            source.advance(length)
            guard try continues(&row, "is the quotation mark in line \(firstLine) never closed?") else { return }
            guard length < unread.count else { continue }
            source.advance()
            guard try source.peek() == Byte.quote else {
                physicalLines.takeClosingQuote()
                return
            }
            source.advance()
            row.append(Byte.quote)
        }
    }

    /// Gives up once a row exceeds its limit: where the next one starts cannot be known.
    private func continues(_ row: inout ManifestRow, _ question: String) throws(ManifestError) -> Bool {
        guard row.isTooLong else { return true }
        row.problem = "is longer than \(ManifestRow.limit) bytes; \(question) The rows after it were not read"
        isFinished = true
        return false
    }

    // MARK: - Lines

    /// Takes LF or CR LF; false, and nothing taken but the CR, where there is none.
    private func takeLineEnd() throws(ManifestError) -> Bool {
        guard let byte = try source.peek() else { return false }
        if byte == Byte.carriageReturn {
            source.advance()
            guard try source.peek() == Byte.lineFeed else { return false }
        } else if byte != Byte.lineFeed {
            return false
        }
        source.advance()
        line += 1
        return true
    }

    /// What follows blank lines.
    private enum LineStart { case row, strayReturn, endOfFile }

    private func skipBlankLines() throws(ManifestError) -> LineStart {
        while let byte = try source.peek() {
            guard byte == Byte.carriageReturn || byte == Byte.lineFeed else { return .row }
            guard try takeLineEnd() else { return .strayReturn }
        }
        return .endOfFile
    }

    private func strayReturn(field: Int) -> Note {
        "field \(field) holds a carriage return without a line feed; end lines in LF or CR LF"
            + (isLiteral ? "" : ", or put the field in quotation marks")
    }

    private func skipLine() throws(ManifestError) {
        guard !isFinished else { return }
        while let byte = try source.peek() {
            source.advance()
            guard byte != Byte.lineFeed else {
                line += 1
                return
            }
        }
    }
}
