import FeatureModel

/// Raven's selection tables: fields between tabs, a header, a row for every view of a selection.
enum RavenTable {
    private static let start = "begin time (s)"
    private static let end = "end time (s)"
    private static let offset = "file offset (s)"
    /// Names of the label's column, which users choose; likelier ones first.
    private static let labels = [
        "annotation", "label", "species", "species code", "common name", "class", "call type", "type", "tags", "name",
        "notes",
    ]

    /// Whether fields are the header of such a table.
    static func isHeader(_ fields: [String]) -> Bool {
        let names = columns(fields)
        return names.contains(start) || names.contains(end) || (names.contains("selection") && names.contains("view"))
    }

    static func read(_ lines: [AnnotationLine], path: String) throws(AnnotationError) -> [AnnotationTable.Row] {
        guard let header = lines.first(where: { !$0.text.isEmpty }) else { return [] }
        let names = columns(header.fields)
        func column(_ name: String) throws(AnnotationError) -> Int {
            guard let index = names.firstIndex(of: name) else {
                throw .missingColumn(
                    path: path, name: name == start ? "Begin Time (s)" : "End Time (s)", columns: header.fields)
            }
            return index
        }
        let (startColumn, endColumn) = (try column(start), try column(end))
        let label = labels.lazy.compactMap { names.firstIndex(of: $0) }.first
        let file = ["begin path", "begin file"].lazy.compactMap { names.firstIndex(of: $0) }.first
        let low = names.firstIndex(of: "low freq (hz)")
        let high = names.firstIndex(of: "high freq (hz)")
        let view = names.firstIndex(of: "view")
        let offset = names.firstIndex(of: Self.offset)

        let rows = lines.filter { $0.number > header.number && !$0.text.allSatisfy(\.isWhitespace) }
        // A selection has a row for each view; that of the waveform would repeat the box of the spectrogram.
        let views = Set(rows.compactMap { field(view, of: $0.fields) })
        let hasSpectrogram = views.contains { $0.lowercased().hasPrefix("spectrogram") }
        var result: [AnnotationTable.Row] = []
        for row in rows {
            let fields = row.fields
            if hasSpectrogram, let name = field(view, of: fields), name.lowercased().hasPrefix("waveform") { continue }
            let start = try number(startColumn, of: row, names: header.fields, path: path)
            let end = try number(endColumn, of: row, names: header.fields, path: path)
            // With several files, times count from the start of the first, and the offset from the start of the row's own.
            let own = file == nil ? nil : offset.flatMap { field($0, of: fields) }.flatMap(Double.init)
            let shift = own.map { $0 - start } ?? 0
            guard
                let annotation = Annotation(
                    start: start + shift, end: end + shift, low: field(low, of: fields).flatMap(Double.init),
                    high: field(high, of: fields).flatMap(Double.init), label: field(label, of: fields) ?? "")
            else {
                throw .badLine(
                    path: path, line: row.number, text: "the selection ends at \(end) s, before it starts at \(start) s"
                )
            }
            result.append(AnnotationTable.Row(recording: field(file, of: fields), annotation: annotation))
        }
        return result
    }

    private static func columns(_ header: [String]) -> [String] {
        header.map { $0.trimmingSpaces().lowercased() }
    }

    /// The text of a field; nil where it is empty or missing.
    private static func field(_ column: Int?, of fields: [String]) -> String? {
        guard let column, column < fields.count else { return nil }
        let text = fields[column].trimmingSpaces()
        return text.isEmpty ? nil : text
    }

    private static func number(
        _ column: Int, of row: AnnotationLine, names: [String], path: String
    ) throws(AnnotationError) -> Double {
        let text = field(column, of: row.fields) ?? ""
        guard let number = Double(text), number.isFinite else {
            throw .badLine(
                path: path, line: row.number, text: "\(names[column]) is \(quoted(text)); expected a number of seconds")
        }
        return number
    }
}

/// Audacity's labels: lines of start, end and label between tabs. A line that starts with a backslash gives the minimum and
/// maximum frequency of the preceding label, negative where there is none.
enum AudacityLabels {
    static func read(_ lines: [AnnotationLine], path: String) throws(AnnotationError) -> [AnnotationTable.Row] {
        var annotations: [Annotation] = []
        for line in lines where !line.text.allSatisfy(\.isWhitespace) {
            let fields = line.fields
            if let first = fields.first, first == "\\" || first.isEmpty, fields.count >= 3, let last = annotations.last,
                let low = number(fields[1]), let high = number(fields[2])
            {
                annotations[annotations.count - 1] =
                    Annotation(start: last.start, end: last.end, low: low, high: high, label: last.label) ?? last
                continue
            }
            guard fields.count >= 2, let start = number(fields[0]), let end = number(fields[1]) else {
                guard !annotations.isEmpty else {
                    throw .unknownTable(path: path, line: line.number, found: String(line.text.prefix(60)))
                }
                throw .badLine(
                    path: path, line: line.number,
                    text: "expected start, end and label between tabs, found \(quoted(String(line.text.prefix(60))))")
            }
            let label = fields.dropFirst(2).joined(separator: " ")
            guard let annotation = Annotation(start: start, end: end, label: label) else {
                throw .badLine(
                    path: path, line: line.number, text: "the label ends at \(end) s, before it starts at \(start) s")
            }
            annotations.append(annotation)
        }
        return annotations.map { AnnotationTable.Row(recording: nil, annotation: $0) }
    }

    /// A number, with a decimal point or, from Audacity in some locales, a comma.
    private static func number(_ text: String) -> Double? {
        let text = text.trimmingSpaces()
        guard let number = Double(text) ?? Double(text.replacing(",", with: ".")), number.isFinite else { return nil }
        return number
    }
}

/// A manifest's rows as annotations: their times and labels, and frequencies in Hz from the columns `low` and `high`, or
/// `low_frequency` and `high_frequency`.
enum ManifestAnnotations {
    /// Reads the rows; rows without times are only counted.
    static func read(
        path: String, format: ManifestFormat
    ) throws(ManifestError) -> (rows: [AnnotationTable.Row], withoutTimes: Int) {
        let manifest = try Manifest.scan(path: path, format: format)
        func column(_ names: [String]) -> Int? {
            names.lazy.compactMap { manifest.extraColumns.firstIndex(of: $0) }.first
        }
        let low = column(["low", "low_frequency"])
        let high = column(["high", "high_frequency"])
        let reader = try manifest.reader()
        var rows: [AnnotationTable.Row] = []
        var withoutTimes = 0
        while let clip = try reader.next() {
            guard let segment = clip.segment,
                let annotation = Annotation(
                    start: segment.start, end: segment.end ?? 1e9, low: low.flatMap { Double(clip.extra[$0]) },
                    high: high.flatMap { Double(clip.extra[$0]) }, label: clip.label)
            else {
                withoutTimes += 1
                continue
            }
            rows.append(AnnotationTable.Row(recording: clip.path, annotation: annotation))
        }
        return (rows, withoutTimes)
    }
}
