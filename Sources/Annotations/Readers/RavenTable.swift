import FeatureModel
import Manifests

extension AnnotationKind {
    package static let raven = AnnotationKind(name: "raven", title: "a Raven selection table")
}

/// Raven's selection tables: fields between tabs, a header, a row for every view of a selection.
enum RavenTable: AnnotationFormat {
    static var kind: AnnotationKind { .raven }

    /// The columns of times and frequencies. Programs that write such tables may leave out the unit, or write other marks, as R does in
    /// `Begin.Time..s.`.
    private enum Measure: String {
        case start = "begin_time"
        case end = "end_time"
        case offset = "file_offset"
        case low = "low_freq"
        case high = "high_freq"

        /// As Raven names it.
        var spelled: String {
            switch self {
            case .start: "Begin Time (s)"
            case .end: "End Time (s)"
            case .offset: "File Offset (s)"
            case .low: "Low Freq (Hz)"
            case .high: "High Freq (Hz)"
            }
        }

        /// Its index in a header: that of Raven's own name, or else of another spelling in seconds or Hz; nil: there is none.
        func index(in header: [String]) -> Int? {
            header.firstIndex { $0.lowercased() == spelled.lowercased() }
                ?? header.firstIndex { name in
                    let name = UnitName(name)
                    return name.equals(rawValue) && (name.unit == nil || name.unit == .seconds)
                }
        }
    }

    /// Raven's names of the column of recordings.
    private static let files = ["begin_path", "begin_file"]

    /// The index of Raven's own column of recordings; nil: there is none.
    private static func file(in header: [String]) -> Int? {
        files.lazy.compactMap { name in header.firstIndex { UnitName($0).isWhollyOne(of: [name]) } }.first
    }
    /// Names of the label's column, which users choose; likelier ones first.
    private static let labels = [
        "annotation", "label", "species", "species code", "common name", "class", "call type", "type", "tags", "name",
        "notes",
    ]
    /// Those of them that are nothing but labels.
    private static let sureLabels = [
        "annotation", "label", "species", "species code", "common name", "class", "call type",
    ]
    /// Columns that are not kept, apart from those that are read: what numbers the views, and other forms of the times.
    private static let known: Set = [
        "view", "channel", "begin path", "begin file", "confidence", "end file", "end path", "begin sample",
        "end sample", "delta time (s)", "",
    ]

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        guard let table = DelimitedTable(document, options) else { return false }
        return isHeader(table.header)
            || table.column(Measure.end.spelled) != nil && !TimesTable.matches(document, options)
    }

    /// Whether fields are the header of such a table.
    static func isHeader(_ fields: [String]) -> Bool {
        let names = fields.map { $0.lowercased() }
        if names.contains(Measure.start.spelled.lowercased()) || names.contains("selection") && names.contains("view") {
            return true
        }
        // Other tables have a column of such a name, too.
        return Measure.start.index(in: fields) != nil
            && (Measure.offset.index(in: fields) != nil || file(in: fields) != nil)
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        read(document, options, labels: labels, into: &content)
    }

    /// The number of the first channel.
    private static let firstChannel = 1

    /// Reads a table whose column of labels has one of some names, likelier ones first.
    ///
    /// - Parameter isFirstMeant: Whether channel 1 is that channel: programs that are not Raven may write 1 everywhere.
    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, labels: [String], isFirstMeant: Bool = true,
        into content: inout AnnotationContent
    ) {
        guard let table = DelimitedTable(document, options) else { return }
        var missing = false
        func required(_ measure: Measure) -> Int {
            if let index = measure.index(in: table.header) { return index }
            missing = true
            content.add(
                problem: "the Raven selection table has no column \(quoted(measure.spelled)); \(table.columnList)",
                line: table.headerLine)
            return 0
        }
        let columns = Columns(
            start: required(.start), end: required(.end),
            label: options.labelColumn == nil
                ? table.column(labels) : table.column(named: options.labelColumn, .labelColumn, &content),
            file: options.pathColumn == nil
                ? file(in: table.header) ?? recordings(table, &content)
                : table.column(named: options.pathColumn, .pathColumn, &content),
            offset: Measure.offset.index(in: table.header),
            low: Measure.low.index(in: table.header), high: Measure.high.index(in: table.header),
            confidence: table.column("confidence"), annotator: table.usualColumn(ColumnNames.annotators))
        table.requireUnique(
            [columns.start, columns.end, columns.label, columns.file, columns.offset, columns.low, columns.high],
            &content)
        guard !missing, content.problemCount == 0 else { return }
        if options.labelColumn == nil, labels == Self.labels {
            table.reportChosen(columns.label, among: Self.sureLabels.compactMap(table.column), &content)
        }
        content.hasLabels = columns.label != nil
        content.labelColumn = columns.label.map { table.header[$0] }
        content.hasAnnotators = columns.annotator != nil
        let others = table.header.indices.filter {
            !columns.read.contains($0) && !known.contains(table.header[$0].lowercased())
        }
        content.columns = others.map { table.header[$0] }
        defer { requireOffsets(columns, table, &content) }
        var views = SelectionViews(selection: table.column("selection"), view: table.column("view"))
        let channelColumn = options.usesChannels ? table.column("channel") : nil
        table.addAnnotations(to: &content, recording: { $0[columns.file] }) { row, content in
            let selection = [columns.start, columns.end, columns.file, channelColumn].map { row[$0] }
            guard !views.isKnownProblem(row, selection) else { return nil }
            let known = content.problemCount
            defer { if content.problemCount > known { views.addProblem(row, selection) } }
            guard let times = times(row, columns, table, &content) else { return nil }
            let named = content.channel(row[channelColumn], column: "Channel", from: firstChannel, line: row.line)
            let channel = named == 0 && !isFirstMeant ? nil : named
            return AnnotationRow(
                line: row.line, recording: row[columns.file], times: AnnotationTimes(seconds: times), channel: channel,
                low: table.frequency(columns.low, scale: table.hertz(columns.low), of: row, &content),
                high: table.frequency(columns.high, scale: table.hertz(columns.high), of: row, &content),
                labels: table.labels([columns.label], of: row, &content),
                confidence: table.number(columns.confidence, of: row, &content),
                origin: row[columns.annotator],
                extra: others.map { row[$0] ?? "" })
        } where: { annotation, row, content in
            guard let index = views.repeated(row, annotation, at: content.rows.count) else { return true }
            if views.isSpectrogram(row) { content.rows[index] = annotation }
            return false
        }
    }

    /// A column under another usual name whose values are names of recordings: selections have columns of anything. Where only some
    /// are, the others are problems.
    private static func recordings(_ table: DelimitedTable, _ content: inout AnnotationContent) -> Int? {
        guard let column = table.usualColumn(ColumnNames.recordings) else { return nil }
        var (isOne, ignored) = (false, AnnotationContent())
        var others: [(name: String, line: Int)] = []
        table.forEachRow(&ignored) { row, _ in
            guard let name = row[column] else { return }
            if RecordingName.isRecording(name.replacing("\\", with: "/")) {
                isOne = true
            } else {
                others.append((name, row.line))
            }
        }
        guard isOne else { return nil }
        for (name, line) in others {
            content.add(
                problem:
                    "\(table.header[column]) is \(quoted(name)), and other rows name recordings there: expected the "
                    + "name of a recording with its extension; if the column is something else, rename it",
                line: line)
        }
        return column
    }

    /// Without offsets, Raven's times count from the start of the first of several files. They do not where those of two files
    /// overlap.
    private static func requireOffsets(
        _ columns: Columns, _ table: DelimitedTable, _ content: inout AnnotationContent
    ) {
        guard columns.offset == nil, let file = columns.file, UnitName(table.header[file]).isWhollyOne(of: files) else {
            return
        }
        content.maybeCumulative = true
        var ranges: [String: AnnotationTimes.Range] = [:]
        for row in content.rows {
            guard let name = row.recording, let range = row.times.seconds else { continue }
            let known = ranges[name] ?? range
            ranges[name] = .init(start: min(known.start, range.start), end: max(known.end, range.end))
        }
        let sorted = ranges.values.sorted { $0.start < $1.start }
        let follow = zip(sorted, sorted.dropFirst()).allSatisfy { $0.start < $1.start && $0.end <= $1.start }
        guard sorted.count > 1, follow else { return }
        // The problem says it.
        content.maybeCumulative = false
        content.areTimesDoubtful = true
        content.add(
            problem:
                "the rows name \(sorted.count) recordings, and there is no column 'File Offset (s)', so the times may count"
                + " from the start of the first one: add that column in Raven; where they count from the start of each"
                + " recording, add it as a copy of 'Begin Time (s)'",
            line: table.headerLine)
    }

    private struct Columns {
        let start, end: Int
        let label, file, offset, low, high, confidence, annotator: Int?

        /// Those that are read, and not kept.
        var read: [Int?] { [start, end, label, file, offset, low, high, confidence] }
    }

    /// By how much a time and the same with fewer decimals may differ: Raven writes offsets with three.
    private static let rounding = 0.0005

    private static func times(
        _ row: DelimitedTable.Row, _ columns: Columns, _ table: DelimitedTable, _ content: inout AnnotationContent
    ) -> AnnotationTimes.Range? {
        let start = table.seconds(columns.start, of: row, &content)
        guard let end = table.seconds(columns.end, of: row, &content), let start,
            let range = content.range(of: "selection", from: start, to: end, line: row.line)
        else { return nil }
        // With several files, times count from the start of the first, and the offset from the start of the row's own.
        guard columns.file != nil, let offset = columns.offset, row[offset] != nil else { return range }
        guard let own = table.seconds(offset, of: row, &content) else { return nil }
        guard abs(own - start) > rounding * (1 + 1e-6) else { return range }
        return AnnotationTimes.Range(start: start + (own - start), end: end + (own - start))
    }
}

/// The rows of one selection of one channel: Raven writes one for each view that shows it.
private struct SelectionViews {
    let selection, view: Int?

    private struct Key: Hashable {
        let selection, recording: String?
        let times: AnnotationTimes
        let channel: Int?
    }

    private var seen: [Key: (index: Int, views: [String])] = [:]
    /// Fields of selections with problems.
    private var problems: Set<[String?]> = []

    init(selection: Int?, view: Int?) { (self.selection, self.view) = (selection, view) }

    /// Takes note of a row with a problem, by the fields that all views of its selection have.
    mutating func addProblem(_ row: DelimitedTable.Row, _ fields: [String?]) {
        if row[view] != nil, let name = row[selection] { problems.insert([name] + fields) }
    }

    /// Whether the same selection has a problem in another view.
    func isKnownProblem(_ row: DelimitedTable.Row, _ fields: [String?]) -> Bool {
        guard row[view] != nil, let name = row[selection] else { return false }
        return problems.contains([name] + fields)
    }

    /// The index of the same selection in another view; nil: the row is the first of its selection.
    mutating func repeated(_ row: DelimitedTable.Row, _ annotation: AnnotationRow, at index: Int) -> Int? {
        guard let name = row[view] else { return nil }
        let key = Key(
            selection: row[selection], recording: annotation.recording, times: annotation.times,
            channel: annotation.channel)
        guard let found = seen[key], !found.views.contains(name) else {
            seen[key] = (index, [name])
            return nil
        }
        seen[key]?.views.append(name)
        return found.index
    }

    /// Whether a row shows the selection with the frequencies that the user drew.
    func isSpectrogram(_ row: DelimitedTable.Row) -> Bool { row[view]?.lowercased().hasPrefix("spectrogram") == true }
}
