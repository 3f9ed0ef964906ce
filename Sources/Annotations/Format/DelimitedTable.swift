import FeatureModel
import Manifests

/// A header and rows of fields between tabs, commas or semicolons.
struct DelimitedTable {
    struct Row {
        /// The line, from 1.
        let line: Int
        let fields: [String]
    }

    /// The names of the columns, without blanks at their ends.
    let header: [String]
    let headerLine: Int
    let delimiter: UInt8
    private let isQuoted: Bool
    private let document: AnnotationDocument

    /// Reads the header: the first line that is not blank, after those of `LeadingComments`; nil: there is none.
    init?(_ document: AnnotationDocument, _ options: AnnotationOptions) {
        guard let line = Self.headerLine(of: document) else { return nil }
        self.document = document
        headerLine = line.number
        let delimiters = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
        func count(_ delimiter: UInt8) -> Int { line.text.utf8.count { $0 == delimiter } }
        // A tab wins a tie: no program writes one into a name.
        delimiter = delimiters.dropFirst().reduce(delimiters[0]) { count($1) > count($0) ? $1 : $0 }
        let quote = UInt8(ascii: "\"")
        let first = line.text.utf8.split(separator: delimiter)
        let looksQuoted = !first.isEmpty && first.allSatisfy { $0.count > 1 && $0.first == quote && $0.last == quote }
        isQuoted = delimiter != UInt8(ascii: "\t") || (options.quoting.map { $0 == .csv } ?? looksQuoted)
        guard let fields = Self.fields(line.text, delimiter, isQuoted: isQuoted) else { return nil }
        header = fields.map { $0.trimmingSpaces() }
    }

    private static func headerLine(of document: AnnotationDocument) -> AnnotationDocument.Line? {
        let start = Array((document.text ?? "").utf8.prefix(1 << 16))
        guard let comments = start.withUnsafeBytes({ LeadingComments($0) }) else { return document.head().first }
        let rest = AnnotationDocument.Lines(String(decoding: start.dropFirst(comments.byteCount), as: UTF8.self))
        return rest.first { !$0.isBlank }.map {
            AnnotationDocument.Line(number: $0.number + comments.lineCount, text: $0.text)
        }
    }

    /// Whether numbers may have a decimal comma.
    var hasDecimalComma: Bool { delimiter != UInt8(ascii: ",") }

    /// Whether the numbers of a column have decimal commas, so that points group digits: found when it is first needed.
    private final class CommaUse {
        var isKnown: Bool?
    }
    private let commaUse = CommaUse()

    /// A number as `FieldNumber.read` takes it: without points between groups of digits, where the table has decimal commas.
    func ungrouped(_ text: String) -> String {
        guard hasDecimalComma, FieldValue.isGrouped(text), usesCommas else { return text }
        return text.replacing(".", with: "")
    }

    /// - Complexity: Reads all rows once.
    private var usesCommas: Bool {
        if let known = commaUse.isKnown { return known }
        var ignored = AnnotationContent()
        // Lists of channels look like numbers with a comma.
        var numeric = Set(header.indices.filter { !header[$0].lowercased().contains("channel") })
        var marks: [Int: DecimalMarks] = [:]
        forEachRow(&ignored) { row, _ in
            for column in numeric {
                guard let text = row[column], !FieldNumber.saysNone(text) else { continue }
                if FieldNumber.read(text, decimalComma: true) == nil { numeric.remove(column) }
                marks[column, default: DecimalMarks()].take(text)
            }
        }
        var all = DecimalMarks()
        for column in numeric { if let found = marks[column] { all.merge(found) } }
        let found = all.groupDigits
        commaUse.isKnown = found
        return found
    }

    /// The column of that name, except for case and blanks at its ends.
    func column(_ name: String) -> Int? {
        header.firstIndex(of: name) ?? header.firstIndex { $0.lowercased() == name.trimmingSpaces().lowercased() }
    }

    /// The first of some columns that there is.
    func column(_ names: [String]) -> Int? { names.lazy.compactMap(column).first }

    /// The column that an option names; a problem where there is no such column.
    func column(named name: String?, _ setting: Note.Setting, _ content: inout AnnotationContent) -> Int? {
        guard let name else { return nil }
        if let found = column(name) { return found }
        content.add(
            problem: "there is no column \(quoted(name)), which \(setting: setting) names; \(columnList)",
            line: headerLine)
        return nil
    }

    /// Adds a problem for each of some columns whose name another column has, too.
    func requireUnique(_ columns: [Int?], _ content: inout AnnotationContent) {
        for name in Set(columns.compactMap { $0.map { header[$0].lowercased() } }).sorted() {
            let count = header.count { $0.lowercased() == name }
            guard count > 1 else { continue }
            content.add(
                problem: "there are \(count) columns \(quoted(name)); expected one: rename or remove the others",
                line: headerLine)
        }
    }

    /// Takes note of columns that could be meant in place of the one that is read.
    func reportChosen(_ column: Int?, among others: [Int], _ content: inout AnnotationContent) {
        guard let column else { return }
        let names = others.filter { $0 != column }.map { quoted(header[$0]) }
        guard !names.isEmpty else { return }
        content.account.add(
            .columnsChosen, source: "", at: column,
            "\(quoted(header[column])), and not \(names.joined(separator: " or "))")
    }

    var columnList: String { "the columns are: " + header.map(quoted).joined(separator: ", ") }

    /// Gives `body` every row that is not blank; problems of other lines are added to `content`.
    func forEachRow(_ content: inout AnnotationContent, _ body: (Row, inout AnnotationContent) -> Void) {
        for line in document.lines where line.number > headerLine && !line.isBlank {
            guard let fields = Self.fields(line.text, delimiter, isQuoted: isQuoted) else {
                content.add(problem: Note(quotingProblem(line.text)), line: line.number)
                content.add(unread: UnreadRow())
                continue
            }
            let isTab = delimiter == UInt8(ascii: "\t")
            let surplus = fields.dropFirst(header.count).contains { !$0.isEmpty }
            // Programs leave out empty fields at the end of a line with tabs.
            if surplus || fields.count < header.count && (!isTab || fields.count == 1 && header.count > 1) {
                content.add(
                    problem:
                        "has \(fields.count) \(fields.count == 1 ? "field" : "fields"); the header has \(header.count)"
                        + (surplus && !isTab ? "; put a field that holds the delimiter in quotation marks" : ""),
                    line: line.number)
                content.add(unread: UnreadRow())
                continue
            }
            body(Row(line: line.number, fields: fields), &content)
        }
    }

    /// Adds the annotation of every row. A row with a problem has none.
    ///
    /// - Parameters:
    ///   - recording: The name that a row gives its recording.
    ///   - read: The annotation of a row; nil: it has none.
    ///   - isOther: Whether an annotation is to be added; false: it repeats one that is known.
    func addAnnotations(
        to content: inout AnnotationContent, recording: (Row) -> String?,
        _ read: (Row, inout AnnotationContent) -> AnnotationRow?,
        where isOther: (AnnotationRow, Row, inout AnnotationContent) -> Bool = { _, _, _ in true }
    ) {
        forEachRow(&content) { row, content in
            let known = content.problemCount
            let annotation = read(row, &content)
            guard content.problemCount == known else {
                return content.add(unread: UnreadRow(recording: recording(row), times: annotation?.times))
            }
            guard let annotation, isOther(annotation, row, &content) else { return }
            content.add(annotation)
        }
    }

    /// The number of seconds in a field. What is not a number is a problem.
    func seconds(_ column: Int, of row: Row, _ content: inout AnnotationContent) -> Double? {
        let text = row[column] ?? ""
        if let number = FieldNumber.read(ungrouped(text), decimalComma: hasDecimalComma) { return number }
        content.add(
            problem: "\(header[column]) is \(quoted(text)); expected a number of seconds", line: row.line)
        return nil
    }

    /// The number in a field that may be empty. What is not a number counts as not given, and has a remark.
    func number(_ column: Int?, of row: Row, _ content: inout AnnotationContent) -> Double? {
        guard let column else { return nil }
        return content.number(
            row[column].map(ungrouped), column: header[column], decimalComma: hasDecimalComma, line: row.line)
    }

    /// The same of a frequency, which is in Hz after the scale.
    func frequency(_ column: Int?, scale: Double = 1, of row: Row, _ content: inout AnnotationContent) -> Double? {
        guard let column else { return nil }
        return content.number(
            row[column].map(ungrouped), column: header[column], decimalComma: hasDecimalComma, in: 0...(.infinity),
            line: row.line
        ).map { $0 * scale }
    }

    /// Hz in the unit of a column of frequencies.
    func hertz(_ column: Int?) -> Double { column.map { UnitName(header[$0]).hertz } ?? 1 }

    /// All labels of a row in some columns, each once.
    func labels(_ columns: [Int?], of row: Row, _ content: inout AnnotationContent) -> [String] {
        var labels: [String] = []
        for column in columns.compactMap(\.self) {
            let names = content.labels(row[column], column: header[column], line: row.line)
            for name in names where !labels.contains(name) { labels.append(name) }
        }
        return labels
    }

    private func quotingProblem(_ line: Substring) -> String {
        let name = delimiter == UInt8(ascii: "\t") ? "tabs" : delimiter == UInt8(ascii: ",") ? "commas" : "semicolons"
        return "expected fields between \(name), quoted as in CSV and each on one line, found"
            + " \(quoted(String(line.prefix(60))))"
    }

    /// The fields of a line; nil where quotation is invalid.
    static func fields(_ line: Substring, _ delimiter: UInt8, isQuoted: Bool) -> [String]? {
        let quote = UInt8(ascii: "\"")
        guard isQuoted, line.utf8.contains(quote) else {
            return line.utf8.split(separator: delimiter, omittingEmptySubsequences: false).map {
                String(Substring($0))
            }
        }
        var fields: [String] = []
        var rest = Array(line.utf8)[...]
        while true {
            var field: [UInt8] = []
            if rest.first == quote {
                rest.removeFirst()
                while true {
                    guard let end = rest.firstIndex(of: quote) else { return nil }
                    field += rest[..<end]
                    rest = rest[(end + 1)...]
                    guard rest.first == quote else { break }
                    field.append(quote)
                    rest.removeFirst()
                }
            } else {
                field += rest.prefix { $0 != delimiter }
                guard !field.contains(quote) else { return nil }
                rest = rest.dropFirst(field.count)
            }
            fields.append(String(decoding: field, as: UTF8.self))
            guard let byte = rest.popFirst() else { return fields }
            guard byte == delimiter else { return nil }
        }
    }
}

extension DelimitedTable.Row {
    /// The text of a field; nil where it is empty or missing.
    subscript(column: Int?) -> String? {
        guard let column, column < fields.count else { return nil }
        let text = fields[column].trimmingSpaces()
        return text.isEmpty ? nil : text
    }
}
