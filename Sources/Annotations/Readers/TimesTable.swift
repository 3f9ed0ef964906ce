import FeatureModel
import Manifests

extension AnnotationKind {
    package static let times = AnnotationKind(name: "times", title: "a table of onsets and offsets")
}

/// Tables with columns of starts and ends (or durations) under any usual name, such as crowsetta's generic CSV, DCASE's
/// onset and offset, or ketos's start and end.
enum TimesTable: AnnotationFormat {
    static var kind: AnnotationKind { .times }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        guard let table = DelimitedTable(document, options) else { return false }
        var content = AnnotationContent()
        return table.header.count > 1 && Columns(table, options, &content) != nil
    }

    /// A column of times and its unit.
    private struct TimeColumn {
        let index: Int
        let unit: TimeUnit

        /// Seconds, or samples; nil: the field is empty, or no time.
        func number(of row: DelimitedTable.Row, _ table: DelimitedTable) -> Double? {
            let number = FieldNumber.time(
                table.ungrouped(row[index] ?? ""), decimalComma: table.hasDecimalComma,
                perSecond: unit == .milliseconds ? 1000 : 1)
            return number.flatMap { unit != .samples || $0 == $0.rounded() ? $0 : nil }
        }
    }

    private struct Columns {
        /// In seconds or milliseconds, and in samples.
        var start, end, duration, startSample, endSample: TimeColumn?
        var path, label, channel, low, high, confidence, annotator: Int?
        /// A column of all labels, next to a column `label`.
        var labels: Int?
        /// Hz in a unit of the frequency columns.
        var (lowScale, highScale) = (1.0, 1.0)

        /// Nil: there are no starts, or neither ends nor durations.
        init?(_ table: DelimitedTable, _ options: AnnotationOptions, _ content: inout AnnotationContent) {
            let names = table.header.map(UnitName.init)
            let unit = options.timeUnit
            func times(_ wanted: [String], isSamples: Bool) -> TimeColumn? {
                for name in wanted {
                    for (index, found) in names.enumerated() where found.equals(name) {
                        let own = found.unit == .samples ? .samples : unit ?? found.unit ?? .seconds
                        if (own == .samples) == isSamples { return TimeColumn(index: index, unit: own) }
                    }
                }
                return nil
            }
            func named(_ name: String?, _ setting: Note.Setting) -> TimeColumn? {
                table.column(named: name, setting, &content).map {
                    TimeColumn(index: $0, unit: unit ?? names[$0].unit ?? .seconds)
                }
            }
            func named(_ name: String?, _ setting: Note.Setting, or usual: [String]) -> Int? {
                if name != nil { return table.column(named: name, setting, &content) }
                return table.usualColumn(usual)
            }
            if options.namesTimes {
                start = named(options.startColumn, .startColumn) ?? times(TimeNames.starts, isSamples: false)
                end = named(options.endColumn, .endColumn)
                duration = named(options.durationColumn, .durationColumn)
                if options.endColumn == nil, options.durationColumn == nil {
                    end = times(TimeNames.ends, isSamples: false)
                    duration = times(TimeNames.durations, isSamples: false)
                }
            } else {
                start = times(TimeNames.starts, isSamples: false)
                end = times(TimeNames.ends, isSamples: false)
                duration = times(TimeNames.durations, isSamples: false)
                // With a duration and no other start, an offset is the start, not the end.
                if start == nil, let offset = end, TimeNames.isStartAlone(names[offset.index]), duration != nil {
                    (start, end) = (offset, nil)
                }
                // As Sonic Visualiser writes a layer.
                if start == nil, duration != nil { start = times(["time"], isSamples: false) }
                startSample = times(TimeNames.starts, isSamples: true)
                endSample = times(TimeNames.ends, isSamples: true)
            }
            // A table in samples alone.
            if start == nil || end == nil && duration == nil, startSample != nil, endSample != nil {
                (start, end, duration) = (nil, nil, nil)
            } else if start == nil || end == nil && duration == nil {
                return nil
            }
            path = named(options.pathColumn, .pathColumn, or: ColumnNames.recordings)
            label = named(options.labelColumn, .labelColumn, or: ColumnNames.annotationLabels)
            if options.labelColumn == nil, let label, names[label].isWhollyOne(of: [ManifestColumn.label.name]) {
                labels = table.usualColumn([LabelList.column])
            }
            channel = options.usesChannels ? table.usualColumn(ColumnNames.channels) : nil
            low = table.usualColumn(ColumnNames.lows)
            high = table.usualColumn(ColumnNames.highs)
            confidence = table.usualColumn(ColumnNames.confidences)
            annotator = table.usualColumn(ColumnNames.annotators)
            lowScale = low.map { names[$0].hertz } ?? 1
            highScale = high.map { names[$0].hertz } ?? 1
        }

        /// The columns that are read, and not kept.
        var all: [Int?] {
            [start, end, end == nil ? duration : nil, startSample, endSample].map { $0?.index } + [
                path, label, labels, channel, low, high, confidence,
            ]
        }
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        guard let table = DelimitedTable(document, options) else { return }
        let found = Columns(table, options, &content)
        guard var columns = found else {
            guard content.problemCount == 0 else { return }
            content.add(
                problem: "expected columns of starts and of ends or durations; \(table.columnList); name them with"
                    + " \(setting: .startColumn) and \(setting: .endColumn)", line: table.headerLine)
            return
        }
        table.requireUnique(columns.all, &content)
        guard content.problemCount == 0 else { return }
        reportChosen(columns, table, options, &content)
        if let end = columns.end, let length = columns.duration, areOfRecordings(columns, table) {
            columns.duration = nil
            table.reportChosen(end.index, among: [length.index], &content)
        }
        let others = table.header.indices.filter {
            !columns.all.contains($0) && !UnitName(table.header[$0]).isWhollyOne(of: ColumnNames.dropped)
        }
        // A column that an option names may be one of a class.
        let candidates =
            options.labelColumn != nil
            ? [columns.label].compactMap(\.self)
            : columns.label == nil ? others.filter { $0 != columns.annotator } : []
        let classes = ClassColumns(table, among: candidates)
        content.hasLabels = columns.label != nil || classes != nil
        content.labelColumn = classes == nil ? columns.label.map { table.header[$0] } : nil
        readRows(table, columns, others.filter { classes?.columns.contains($0) != true }, classes, &content)
    }

    /// Whether lengths are those of whole recordings: none is less than an end, and some do not fit the times.
    private static func areOfRecordings(_ columns: Columns, _ table: DelimitedTable) -> Bool {
        var (isWhole, fits, ignored) = (true, true, AnnotationContent())
        table.forEachRow(&ignored) { row, _ in
            guard let start = columns.start?.number(of: row, table), let end = columns.end?.number(of: row, table),
                let length = columns.duration?.number(of: row, table)
            else { return }
            if length < end - tolerance { isWhole = false }
            if abs(start + length - end) > tolerance { fits = false }
        }
        return isWhole && !fits
    }

    private static func readRows(
        _ table: DelimitedTable, _ columns: Columns, _ others: [Int], _ classes: ClassColumns?,
        _ content: inout AnnotationContent
    ) {
        content.hasAnnotators = columns.annotator != nil
        content.columns = others.map { table.header[$0] }
        table.addAnnotations(to: &content, recording: { $0[columns.path] }) { row, content in
            guard let times = times(row, columns, table, &content) else { return nil }
            let channel = content.channel(
                row[columns.channel], column: columns.channel.map { table.header[$0] } ?? "", from: 0, line: row.line)
            let positive = classes?.labels(of: row, &content)
            if positive?.isEmpty == true {
                if classes?.isUncertain(row) == true {
                    content.add(unread: UnreadRow(recording: row[columns.path], times: times))
                }
                return nil
            }
            return AnnotationRow(
                line: row.line, recording: row[columns.path], times: times, channel: channel,
                low: table.frequency(columns.low, scale: columns.lowScale, of: row, &content),
                high: table.frequency(columns.high, scale: columns.highScale, of: row, &content),
                labels: positive ?? table.labels([columns.label, columns.labels], of: row, &content),
                confidence: table.number(columns.confidence, of: row, &content), origin: row[columns.annotator],
                extra: others.map { row[$0] ?? "" })
        }
    }

    /// Takes note of columns that could be meant in place of those that are read and that no option names.
    private static func reportChosen(
        _ columns: Columns, _ table: DelimitedTable, _ options: AnnotationOptions, _ content: inout AnnotationContent
    ) {
        let names = table.header.map(UnitName.init)
        func report(_ column: Int?, _ usual: [String], isNamed: Bool) {
            let others = names.indices.filter { names[$0].isOne(of: usual) && names[$0].unit != .samples }
            if !isNamed { table.reportChosen(column, among: others, &content) }
        }
        report(columns.start?.index, TimeNames.starts, isNamed: options.startColumn != nil)
        report(
            columns.path, ColumnNames.recordings.filter { !$0.hasPrefix("begin") }, isNamed: options.pathColumn != nil)
        report(columns.label, ColumnNames.sureLabels, isNamed: options.labelColumn != nil)
    }

    /// By how much an end and a length may differ, in seconds: both may be rounded.
    private static let tolerance = 0.002

    private static func times(
        _ row: DelimitedTable.Row, _ columns: Columns, _ table: DelimitedTable, _ content: inout AnnotationContent
    ) -> AnnotationTimes? {
        var isValid = true
        func number(_ column: TimeColumn?, isRequired: Bool) -> Double? {
            guard let column else { return nil }
            let text = row[column.index] ?? ""
            if text.isEmpty, !isRequired { return nil }
            if let number = column.number(of: row, table) { return number }
            isValid = false
            let unit =
                switch column.unit {
                case .seconds: "a number of seconds"
                case .milliseconds: "a number of milliseconds"
                case .samples: "a whole number of samples"
                }
            content.add(
                problem: "\(table.header[column.index]) is \(quoted(text)); expected \(unit)",
                line: row.line)
            return nil
        }
        let from = number(columns.startSample, isRequired: columns.start == nil)
        let to = number(columns.endSample, isRequired: columns.start == nil)
        let samples: AnnotationTimes.Range? = if let from, let to { .init(start: from, end: to) } else { nil }
        let start = number(columns.start, isRequired: samples == nil)
        let end = number(columns.end, isRequired: samples == nil && columns.duration == nil)
        let length =
            end == nil
            ? number(columns.duration, isRequired: samples == nil) : columns.duration?.number(of: row, table)
        guard isValid else { return nil }
        let byLength = start.flatMap { start in length.map { FieldNumber.end(of: start, $0) } }
        var last = end ?? byLength
        if let end, let byLength, abs(byLength - end) > (columns.end?.unit == .samples ? 1 : Self.tolerance) {
            last = byLength
            content.account.add(
                .timesDisagree, source: "", at: row.line, "line \(row.line) (ends at \(byLength), not at \(end))")
        }
        let given: AnnotationTimes.Range? = if let start, let last { .init(start: start, end: last) } else { nil }
        if let wrong = [given, samples].compactMap(\.self).first(where: { $0.end < $0.start }) {
            content.add(
                problem: "the annotation ends at \(wrong.end), before it starts at \(wrong.start)", line: row.line)
            return nil
        }
        // With a named unit, the columns of times may hold samples.
        if columns.start?.unit == .samples { return AnnotationTimes(seconds: nil, samples: given) }
        return AnnotationTimes(seconds: given, samples: samples)
    }
}
