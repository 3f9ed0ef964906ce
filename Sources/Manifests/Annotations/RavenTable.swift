import FeatureModel
import Foundation

/// Raven's selection tables: fields between tabs, a header, a row for every view of a selection.
enum RavenTable {
    private static let begin = "begin time (s)"
    private static let end = "end time (s)"
    private static let offset = "file offset (s)"
    /// Columns for a label, which users name as they like; the likelier first.
    private static let labels = [
        "annotation", "label", "species", "species code", "common name", "class", "call type", "type", "tags", "name",
        "notes",
    ]

    /// Whether fields are the header of such a table.
    static func isHeader(_ fields: [String]) -> Bool {
        let names = columns(fields)
        return names.contains(begin) || names.contains(end) || (names.contains("selection") && names.contains("view"))
    }

    /// Reads the rows.
    static func read(_ lines: [AnnotationLine], path: String) throws(AnnotationError) -> [AnnotationTable.Row] {
        guard let header = lines.first(where: { !$0.text.isEmpty }) else { return [] }
        let names = columns(header.fields)
        func column(_ name: String) throws(AnnotationError) -> Int {
            guard let place = names.firstIndex(of: name) else {
                throw .missingColumn(
                    path: path, name: name == begin ? "Begin Time (s)" : "End Time (s)", columns: header.fields)
            }
            return place
        }
        let (beginColumn, endColumn) = (try column(begin), try column(end))
        let label = labels.lazy.compactMap { names.firstIndex(of: $0) }.first
        let file = ["begin path", "begin file"].lazy.compactMap { names.firstIndex(of: $0) }.first
        let low = names.firstIndex(of: "low freq (hz)")
        let high = names.firstIndex(of: "high freq (hz)")
        let view = names.firstIndex(of: "view")
        let offset = names.firstIndex(of: Self.offset)

        let rows = lines.filter { $0.number > header.number && !$0.text.allSatisfy(\.isWhitespace) }
        // A selection has a row for each view; the waveform's would be a second box on top of the spectrogram's.
        let views = Set(rows.compactMap { field(view, of: $0.fields) })
        let hasSpectrogram = views.contains { $0.lowercased().hasPrefix("spectrogram") }
        var result: [AnnotationTable.Row] = []
        for row in rows {
            let fields = row.fields
            if hasSpectrogram, let name = field(view, of: fields), name.lowercased().hasPrefix("waveform") { continue }
            let start = try number(beginColumn, of: row, names: header.fields, path: path)
            let end = try number(endColumn, of: row, names: header.fields, path: path)
            // Times count from the beginning of the first of several files; the offset from that of the row's own.
            let place = file == nil ? nil : offset.flatMap { field($0, of: fields) }.flatMap(Double.init)
            let shift = place.map { $0 - start } ?? 0
            guard
                let annotation = Annotation(
                    start: start + shift, end: end + shift, low: field(low, of: fields).flatMap(Double.init),
                    high: field(high, of: fields).flatMap(Double.init), label: field(label, of: fields) ?? "")
            else {
                throw .badLine(
                    path: path, line: row.number, text: "the selection ends at \(end) s, before it begins at \(start) s"
                )
            }
            result.append(AnnotationTable.Row(recording: field(file, of: fields), annotation: annotation))
        }
        return result
    }

    private static func columns(_ header: [String]) -> [String] {
        header.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    /// The text of a field; nil where there is none.
    private static func field(_ column: Int?, of fields: [String]) -> String? {
        guard let column, column < fields.count else { return nil }
        let text = fields[column].trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? nil : text
    }

    private static func number(
        _ column: Int, of row: AnnotationLine, names: [String], path: String
    ) throws(AnnotationError) -> Double {
        let text = field(column, of: row.fields) ?? ""
        guard let number = Double(text), number.isFinite else {
            throw .badLine(
                path: path, line: row.number,
                text: "\(names[column]) is \(quoted(text)); expected a number of seconds")
        }
        return number
    }
}
