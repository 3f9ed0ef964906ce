import FeatureModel

/// Rows that are JSON objects, one on every line. Blank lines are skipped.
///
/// Numbers keep their digits, null counts as not given, and arrays and objects become their compact JSON.
final class JSONLinesRowParser: RowParser {
    private let lines: LineReader
    /// The names so far: those of `ManifestColumn`, then the others, so that a name's index is its slot.
    private var names = NameTable()
    /// For each slot, the last line on which it was given; 0: none.
    private var lastLine: [Int] = []
    private var line: Int { lines.number }
    private var windowsPaths = WindowsPaths()
    /// The name that is read as `path`, by the first object.
    private(set) var pathColumn = ManifestColumn.path.name
    /// The last line on which the path was given under that name; 0: none.
    private var lastPath = 0
    private var hasStarted = false

    /// Starts with the known columns, in order.
    init(source: BlockReader, extraColumns: [String]) {
        lines = LineReader(source)
        for name in ManifestColumn.allCases.map(\.name) + extraColumns { _ = names.insert(name) }
        lastLine = Array(repeating: 0, count: names.count)
    }

    var source: BlockReader { lines.source }

    var extraColumns: [String] { (ManifestColumn.allCases.count..<names.count).map { names[$0] } }

    func report(to account: inout Account, source: String) { windowsPaths.report(to: &account, source: source) }

    var extraSlots: Int { names.count - ManifestColumn.allCases.count }

    func has(_ column: ManifestColumn) -> Bool { lastLine[column.rawValue] > 0 }

    func next(into row: inout ManifestRow) throws(ManifestError) -> Bool {
        if hasStarted {
            repeat { guard try lines.next() else { return false } } while lines.isBlank
        } else {
            guard try start() else { return false }
        }
        row.clear(line: line, slots: names.count)
        row.problem =
            (lines.problem
            ?? JSONScanner.problem(in: lines.bytes) { scanner throws(JSONScanner.Failure) in
                try takeObject(from: &scanner, into: &row)
            }).map { Note($0) }
        windowsPaths.convert(&row)
        guard extraSlots <= ManifestColumn.extraLimit else {
            throw .tooManyColumns(path: source.path, limit: ManifestColumn.extraLimit)
        }
        return true
    }

    /// Reads the first line that is not blank, and finds the column of recordings in its object; false: there is none.
    ///
    /// - Throws: `ManifestError.unreadTable` where the text is one JSON document: where its first line continues on the next one, or is
    ///   the only one, and names no recording.
    private func start() throws(ManifestError) -> Bool {
        hasStarted = true
        repeat { guard try lines.next() else { return false } } while lines.isBlank
        let first = FirstObject(lines.bytes)
        if let name = ColumnNames.path(among: first.names) { pathColumn = name }
        guard !first.names.contains(pathColumn) else { return true }
        switch first.end {
        case .wrong where !lines.isTooLong: return true
        case .whole: guard try isLast() else { return true }
        case .open, .wrong: break
        }
        let text = lines.bytes + [Byte.lineFeed] + source.unread
        let document = text.withUnsafeBufferPointer { JSONDocument($0) }
        if let document { throw .unreadTable(path: source.path, .document(document, source.text)) }
        return true
    }

    /// Whether only blanks follow in the block: several objects are rows.
    private func isLast() throws(ManifestError) -> Bool {
        try source.peek() == nil || source.unread.allSatisfy { $0 <= Byte.space }
    }

    private func takeObject(from scanner: inout JSONScanner, into row: inout ManifestRow) throws(JSONScanner.Failure) {
        try scanner.expect("{", "at the start of the row's object")
        if !scanner.take("}") {
            repeat { try takeMember(from: &scanner, into: &row) } while scanner.take(",")
            try scanner.expect("}", "after the row's object")
        }
        guard scanner.peek() == nil else { throw .moreThanAnObject }
    }

    private func takeMember(from scanner: inout JSONScanner, into row: inout ManifestRow) throws(JSONScanner.Failure) {
        let nameStart = row.bytes.count
        try row.appendText { bytes throws(JSONScanner.Failure) in try scanner.takeString(into: &bytes) }
        let valueStart = row.bytes.count
        guard valueStart > nameStart else { throw JSONScanner.Failure(text: "has an empty name") }
        let isNamedPath = row.bytes[nameStart...].elementsEqual(pathColumn.utf8)
        let slot =
            isNamedPath
            ? ManifestColumn.path.rawValue
            : row.bytes.withUnsafeBytes { names.insert(UnsafeRawBufferPointer(rebasing: $0[nameStart...])) }
        let isPath = slot == ManifestColumn.path.rawValue
        if slot == lastLine.count { lastLine.append(0) }
        guard lastLine[slot] != line else {
            let areTwo = isPath && isNamedPath != (lastPath == line)
            throw JSONScanner.Failure(
                text: areTwo ? twoPaths : "gives \(quoted(isPath ? pathColumn : names[slot])) twice")
        }
        lastLine[slot] = line
        if isNamedPath { lastPath = line }

        try scanner.expect(":", "after a name")
        var kind = JSONScanner.Kind.null
        try row.appendText { bytes throws(JSONScanner.Failure) in kind = try scanner.takeValue(into: &bytes) }
        if kind == .nested, isPath { return row.set(slot: slot, to: try path(row.bytes[valueStart...])) }
        if kind == .nested, slot < ManifestColumn.allCases.count {
            throw JSONScanner.Failure(text: "\(names[slot]) is an array or an object; expected a string or a number")
        }
        row.set(slot: slot, to: valueStart..<row.bytes.count)
    }

    /// What is wrong with an object that has both names of the path.
    private var twoPaths: String {
        "gives 'path' and \(quoted(pathColumn)), which is read as the path since the first object has no 'path'; expected the same one "
            + "in every object"
    }

    /// The path in an array or object.
    private func path(_ json: some Collection<UInt8>) throws(JSONScanner.Failure) -> String {
        let value = JSONValue(json: json)
        if let path = value?.recordingPath { return path }
        throw JSONScanner.Failure(
            text: value?.elements == nil
                ? "\(pathColumn) is an object without 'path'; expected the path of a recording, or an object that has it"
                : RecordingList.refusal(pathColumn))
    }
}

/// What a line that may be the first object of JSON Lines has.
private struct FirstObject {
    enum End {
        /// The object ends with the line.
        case whole
        /// The line ends before the object.
        case open
        /// It is not JSON.
        case wrong
    }

    /// The names of its members, as far as they can be read.
    private(set) var names: [String] = []
    private(set) var end = End.wrong

    init(_ line: [UInt8]) {
        line.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            do throws(JSONScanner.Failure) {
                try scanner.takeObject { scanner, name throws(JSONScanner.Failure) in
                    names.append(name)
                    var value: [UInt8] = []
                    _ = try scanner.takeValue(into: &value)
                }
                end = scanner.peek() == nil ? .whole : .wrong
            } catch {
                end = scanner.peek() == nil ? .open : .wrong
            }
        }
    }
}
