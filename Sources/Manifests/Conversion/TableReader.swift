import FeatureModel

/// The rows of a table that is not a manifest: fields between commas, semicolons or tabs with a header, or a JSON object on every
/// line. In any form that `BlockReader` reads.
package final class TableReader {
    private enum Rows {
        case delimited(DelimitedRowParser)
        case objects(LineReader)
    }

    package let path: String
    /// The names of the header; empty for JSON Lines.
    package let columns: [String]
    /// Whether numbers may have a decimal comma, since semicolons separate the fields.
    package let hasDecimalComma: Bool
    private let input: ManifestInput
    private let quoting: ManifestFormat.Quoting
    private let isUTF8: Bool
    private var rows: Rows
    /// Those that were read.
    private var rowCount = 0
    /// Whether the text is read as Windows-1252, which nothing in it says.
    private var isAssumed: Bool
    /// Whether the header or a row that was read has letters that the two encodings write differently.
    private var holdsLetters: Bool
    private var row = ManifestRow()
    /// The first line of the current row, from 1.
    package private(set) var line = 1
    /// Why the current row cannot be read; nil: it can.
    package private(set) var problem: Note?
    /// Whether that is since its text is in another encoding than UTF-8, as the whole table may be.
    package var isInOtherEncoding: Bool { problem.map(ManifestRow.isOfEncoding) == true }
    /// The values of the current row by their names, in order.
    package private(set) var values: [(name: String, value: String)] = []

    /// Opens a table and reads its header.
    ///
    /// - Parameters:
    ///   - quoting: What quotation marks mean between tabs.
    ///   - isUTF8: Whether bytes that are not UTF-8 are damage, as in a file that this program writes.
    /// - Throws: `ManifestError` where it cannot be opened, or its header cannot be read.
    package init(
        _ input: ManifestInput, quoting: ManifestFormat.Quoting = .literal, isUTF8: Bool = false
    ) throws(ManifestError) {
        path = input.name
        (self.input, self.quoting, self.isUTF8) = (input, quoting, isUTF8)
        let opened: (rows: Rows, columns: [String], hasDecimalComma: Bool)
        (opened, isAssumed) =
            isUTF8
            ? (try Self.open(input, quoting), false)
            : try input.decoded { input throws(ManifestError) in try Self.open(input, quoting) }
        (rows, columns, hasDecimalComma) = opened
        holdsLetters = columns.contains(where: Self.holdsLetters)
    }

    private static func holdsLetters(_ text: String) -> Bool { text.utf8.contains { $0 > 0x7F } }

    private static func open(
        _ input: ManifestInput, _ quoting: ManifestFormat.Quoting
    ) throws(ManifestError) -> (rows: Rows, columns: [String], hasDecimalComma: Bool) {
        let source = try BlockReader(input, isTable: true)
        let line = source.firstLine
        if line.first(where: { $0 > Byte.space }) == UInt8(ascii: "{") {
            return (.objects(LineReader(source)), [], false)
        }
        let delimiter = HeaderDelimiter.byte(of: line)
        let parser = try DelimitedRowParser(
            source: source, delimiter: delimiter, quoting: delimiter == Byte.tab ? quoting : .csv, keepsNames: true)
        return (.delimited(parser), parser.extraColumns, delimiter == Byte.semicolon)
    }

    /// The same of a file.
    package convenience init(path: String) throws(ManifestError) { try self.init(ManifestInput(path: path)) }

    package var isJSON: Bool { if case .objects = rows { true } else { false } }

    /// Takes note of likely mistakes in the rows read so far.
    package func report(to account: inout Account, source: String) {
        if isAssumed { account.add(.encodingsAssumed, source: source, count: 1) }
        if case .delimited(let parser) = rows { parser.report(to: &account, source: source) }
    }

    /// Reads the next row, which may have a `problem`; false at the end.
    package func next() throws(ManifestError) -> Bool {
        guard try take() else { return false }
        holdsLetters = holdsLetters || values.contains { Self.holdsLetters($0.value) }
        guard isInOtherEncoding, !isUTF8, !isAssumed, !holdsLetters, let other = try input.inWindows1252() else {
            return true
        }
        (rows, isAssumed) = (try Self.open(other, quoting).rows, true)
        let count = rowCount
        rowCount = 0
        while rowCount < count { guard try take() else { return false } }
        return true
    }

    private func take() throws(ManifestError) -> Bool {
        rowCount += 1
        values.removeAll(keepingCapacity: true)
        problem = nil
        switch rows {
        case .delimited(let parser):
            guard try parser.next(into: &row) else { return false }
            (line, problem) = (row.line, row.problem)
            guard problem == nil else { return true }
            let known = ManifestColumn.allCases.count
            for (index, name) in columns.enumerated() { values.append((name, row.text(known + index))) }
        case .objects(let lines):
            repeat { guard try lines.next() else { return false } } while lines.isBlank
            (line, problem) = (lines.number, lines.problem.map { Note($0) })
            guard problem == nil else { return true }
            do throws(JSONValue.Failure) {
                for member in try JSONValue(line: lines.bytes).members {
                    values.append((member.name, member.value.text))
                }
            } catch {
                problem = Note(error.text)
            }
        }
        return true
    }

    /// The value of a column in the current row; nil: there is none.
    package subscript(name: String) -> String? { values.first { $0.name == name }?.value }
}
