import FeatureModel
import Manifests

extension AnnotationKind {
    package static let birdNET = AnnotationKind(name: "birdnet", title: "a file of BirdNET-Analyzer's results")
}

/// Results of BirdNET-Analyzer 1 and 2: its CSV, Raven table, Audacity labels, Kaleidoscope CSV and table for R.
///
/// The label is the common name in all of them; the scientific name is a column.
enum BirdNETResults: AnnotationFormat {
    static var kind: AnnotationKind { .birdNET }

    private static let scientific = "scientific_name"
    /// What stands for a recording without detections.
    private static let none = "nocall"

    private enum Form { case csv, kaleidoscope, r, raven, audacity }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        form(document, options) != nil
    }

    private static func form(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Form? {
        guard let table = DelimitedTable(document, options) else { return nil }
        let names = Set(table.header.map { $0.lowercased() })
        if names.isSuperset(of: ["start (s)", "end (s)", "confidence"]), !names.isDisjoint(with: labels) {
            return .csv
        }
        if names.isSuperset(of: ["in file", "offset", "duration"]) { return .kaleidoscope }
        if names.isSuperset(of: ["filepath", "start", "end", "common_name", "confidence"]) { return .r }
        if RavenTable.isHeader(table.header), names.isSuperset(of: ["common name", "confidence"]) { return .raven }
        // Start, end, "Scientific name, Common name", confidence.
        let lines = document.head(20).map { $0.text.split(separator: "\t", omittingEmptySubsequences: false) }
        let isAudacity =
            !lines.isEmpty
            && lines.allSatisfy { fields in
                fields.count == 4 && AudacityLabels.times(fields) != nil
                    && FieldNumber.read(fields[3]).map { (0...1).contains($0) } == true
            }
        return isAudacity ? .audacity : nil
    }

    /// Kaleidoscope's columns for what a person found, and what it found itself; it marks some columns by a star.
    private static let (manual, automatic) = (["manual id", "manual id*"], ["auto id", "auto id*"])
    /// Columns of Kaleidoscope's own tables, in which TOP1DIST is the distance from the middle of a cluster.
    private static let measures = [
        "channel", "fmin", "fmean", "fmax", "vocalizations", "cluster", "top2match", "top2dist",
    ]

    /// The confidence in the tables that BirdNET-Analyzer writes for Kaleidoscope (its pull request 856).
    private static func confidence(_ table: DelimitedTable) -> Int? {
        table.column(measures) == nil ? table.column(distance) : nil
    }

    static let distance = "top1dist"

    private static let labels = ["common name", "common_name", "scientific name", scientific, "species"]

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        content.isPadded = true
        switch form(document, options) {
        case .raven:
            RavenTable.read(
                document, options, labels: ["common name", "species code", "scientific name"], isFirstMeant: false,
                into: &content)
        case .audacity: readAudacity(document, &content)
        case .csv: readTable(document, options, path: ["file"], start: "start (s)", end: "end (s)", &content)
        case .r: readTable(document, options, path: ["filepath"], start: "start", end: "end", &content)
        case .kaleidoscope:
            readTable(
                document, options, path: ["indir", "folder", "in file"], start: "offset", length: "duration", &content)
        case nil:
            content.add(
                problem: "expected a table of BirdNET-Analyzer: CSV, Raven, Audacity, Kaleidoscope or R",
                line: document.head().first?.number)
        }
        content.rows.removeAll { $0.labels == [none] }
    }

    private static func readAudacity(
        _ document: AnnotationDocument, _ content: inout AnnotationContent
    ) {
        content.columns = [scientific]
        content.hasColumns = false
        for line in document.lines where !line.isBlank {
            let fields = line.text.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 4, let (start, end) = AudacityLabels.times(fields),
                let confidence = FieldNumber.read(fields[3])
            else {
                content.add(expected: "start, end, label and confidence between tabs", at: line)
                continue
            }
            guard let range = content.range(of: "label", from: start, to: end, line: line.number) else { continue }
            // "Turdus merula, Eurasian Blackbird"; of a classifier of one's own, a name alone.
            let names = String(fields[2]).split(separator: ", ", maxSplits: 1).map(String.init)
            content.add(
                AnnotationRow(
                    line: line.number, times: AnnotationTimes(seconds: range),
                    label: names.last ?? "", confidence: confidence, extra: [names.first ?? ""]))
        }
    }

    private static func readTable(
        _ document: AnnotationDocument, _ options: AnnotationOptions, path: [String], start: String, end: String? = nil,
        length: String? = nil, _ content: inout AnnotationContent
    ) {
        guard let table = DelimitedTable(document, options) else { return }
        // Kaleidoscope's column for what a person found is often empty.
        let findings = [manual, automatic, ["top1match"]].compactMap { table.column($0) }
        let label =
            options.labelColumn == nil
            ? table.column(labels) ?? findings.first
            : table.column(named: options.labelColumn, .labelColumn, &content)
        let named = options.pathColumn.map { _ in
            table.column(named: options.pathColumn, .pathColumn, &content)
        }
        guard let start = table.column(start), let last = end.flatMap(table.column) ?? length.flatMap(table.column),
            content.problemCount == 0
        else { return }
        let suggestions = options.labelColumn == nil && label == findings.first ? findings.dropFirst() : []
        content.hasLabels = label != nil
        content.labelColumn = label.map { table.header[$0] }
        let path = named.map { [$0] } ?? path.map(table.column)
        let confidence = table.column("confidence") ?? (length == nil ? nil : Self.confidence(table))
        // Kaleidoscope's clusters have the edges in Hz; those given with an identification of bats are in kHz.
        let hasEdges = length != nil && table.column(automatic) == nil
        let (low, high) = hasEdges ? (table.column("fmin"), table.column("fmax")) : (nil, nil)
        let annotator = table.usualColumn(ColumnNames.annotators)
        content.hasAnnotators = annotator != nil
        // Kaleidoscope's own tables: 0 is the left channel.
        let channel = options.usesChannels ? table.column("channel") : nil
        let read = path + [label, confidence, channel, start, last, low, high]
        table.requireUnique(read, &content)
        guard content.problemCount == 0 else { return }
        let others = table.header.indices.filter { !read.contains($0) && !table.header[$0].isEmpty }
        content.columns = others.map { index in
            table.header[index].lowercased() == "scientific name" ? scientific : table.header[index]
        }
        func recording(_ row: DelimitedTable.Row) -> String? {
            let name = path.compactMap { row[$0] }.joined(separator: "/")
            return name.isEmpty ? nil : name
        }
        table.addAnnotations(to: &content, recording: recording) { row, content in
            guard let from = table.seconds(start, of: row, &content),
                let other = table.seconds(last, of: row, &content)
            else { return nil }
            let to = length == nil ? other : FieldNumber.end(of: from, other)
            guard let range = content.range(of: "detection", from: from, to: to, line: row.line) else { return nil }
            let channel = content.channel(
                row[channel], column: channel.map { table.header[$0] } ?? "", from: 0, line: row.line)
            return AnnotationRow(
                line: row.line, recording: recording(row),
                times: AnnotationTimes(seconds: range), channel: channel,
                low: table.frequency(low, of: row, &content), high: table.frequency(high, of: row, &content),
                labels: table.labels(
                    [row[label] == nil ? suggestions.first { row[$0] != nil } : label], of: row, &content),
                confidence: table.number(confidence, of: row, &content),
                origin: row[annotator], extra: others.map { row[$0] ?? "" })
        }
    }
}
