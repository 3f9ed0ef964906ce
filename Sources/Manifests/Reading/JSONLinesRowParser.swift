/// Rows that are JSON objects, one on every line. Blank lines are skipped.
///
/// Numbers keep their digits, null counts as not given, and arrays and objects become their compact JSON.
final class JSONLinesRowParser: RowParser {
    let source: BlockReader
    /// The names so far: those of `ManifestColumn`, then the others, so that a name's index is its slot.
    private var names = NameTable()
    /// For each slot, the last line on which it was given; 0: none.
    private var lastLine: [Int] = []
    private var text: [UInt8] = []
    private var line = 0
    private var isFinished = false
    private var windowsPaths = WindowsPaths()

    /// Starts with the known columns, in order.
    init(source: BlockReader, extraColumns: [String]) {
        self.source = source
        for name in ManifestColumn.allCases.map(\.name) + extraColumns { _ = names.insert(name) }
        lastLine = Array(repeating: 0, count: names.count)
    }

    var extraColumns: [String] { (ManifestColumn.allCases.count..<names.count).map { names[$0] } }

    var warnings: [String] { windowsPaths.warning.map { [$0] } ?? [] }

    var extraSlots: Int { names.count - ManifestColumn.allCases.count }

    func has(_ column: ManifestColumn) -> Bool { lastLine[column.rawValue] > 0 }

    func next(into row: inout ManifestRow) throws(ManifestError) -> Bool {
        repeat {
            guard try takeLine() else { return false }
            line += 1
        } while text.allSatisfy { $0 == Byte.space || $0 == Byte.tab || $0 == Byte.carriageReturn }
        row.clear(line: line, slots: names.count)
        row.problem = lineProblem() ?? parse(into: &row)
        windowsPaths.convert(&row)
        guard extraSlots <= ManifestColumn.extraLimit else {
            throw .tooManyColumns(path: source.path, limit: ManifestColumn.extraLimit)
        }
        return true
    }

    /// Takes the bytes up to the next line feed into `text`; false at the end of the file.
    private func takeLine() throws(ManifestError) -> Bool {
        text.removeAll(keepingCapacity: true)
        guard !isFinished, try source.peek() != nil else { return false }
        while true {
            let unread = source.unread
            let length = unread.firstIndex(of: Byte.lineFeed)
            text.append(contentsOf: UnsafeRawBufferPointer(rebasing: unread[..<(length ?? unread.count)]))
            source.advance(length.map { $0 + 1 } ?? unread.count)
            if length != nil { return true }
            if text.count > ManifestRow.limit {
                isFinished = true
                return true
            }
            guard try source.fill() else { return true }
        }
    }

    /// What is wrong with the line before it is read as JSON.
    private func lineProblem() -> String? {
        if isFinished { return "is longer than \(ManifestRow.limit) bytes; the rows after it were not read" }
        if text.contains(0) { return "holds a NUL byte; is the file UTF-16? Save it as UTF-8" }
        return String(validating: text, as: UTF8.self) == nil ? ManifestRow.notUTF8("the line") : nil
    }

    /// Reads the line's object; returns its problem.
    private func parse(into row: inout ManifestRow) -> String? {
        text.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            do throws(JSONScanner.Failure) {
                try takeObject(from: &scanner, into: &row)
                return nil
            } catch {
                return error.text
            }
        }
    }

    private func takeObject(from scanner: inout JSONScanner, into row: inout ManifestRow) throws(JSONScanner.Failure) {
        try scanner.expect("{", "at the start of the row's object")
        if !scanner.take("}") {
            repeat { try takeMember(from: &scanner, into: &row) } while scanner.take(",")
            try scanner.expect("}", "after the row's object")
        }
        guard scanner.peek() == nil else {
            throw JSONScanner.Failure(text: "continues after its object; expected one object on every line")
        }
    }

    private func takeMember(from scanner: inout JSONScanner, into row: inout ManifestRow) throws(JSONScanner.Failure) {
        let nameStart = row.bytes.count
        try row.appendText { bytes throws(JSONScanner.Failure) in try scanner.takeString(into: &bytes) }
        let valueStart = row.bytes.count
        guard valueStart > nameStart else { throw JSONScanner.Failure(text: "has an empty name") }
        let slot = row.bytes.withUnsafeBytes { names.insert(UnsafeRawBufferPointer(rebasing: $0[nameStart...])) }
        if slot == lastLine.count { lastLine.append(0) }
        guard lastLine[slot] != line else { throw JSONScanner.Failure(text: "gives \(quoted(names[slot])) twice") }
        lastLine[slot] = line

        try scanner.expect(":", "after a name")
        var kind = JSONScanner.Kind.null
        try row.appendText { bytes throws(JSONScanner.Failure) in kind = try scanner.takeValue(into: &bytes) }
        if kind == .nested, slot < ManifestColumn.allCases.count {
            throw JSONScanner.Failure(text: "\(names[slot]) is an array or an object; expected a string or a number")
        }
        row.set(slot: slot, to: valueStart..<row.bytes.count)
    }
}
