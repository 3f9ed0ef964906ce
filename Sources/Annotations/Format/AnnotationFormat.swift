import FeatureModel
import Manifests

/// A format of annotation files. Each is one file of `Readers`, and an entry in `AnnotationFormats.all`.
package protocol AnnotationFormat: Sendable {
    static var kind: AnnotationKind { get }

    /// Whether a file has this format, by its content and its name.
    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool

    /// Reads all rows, and adds all problems with their lines.
    ///
    /// - Throws: `AnnotationError` or `ManifestError` where the file cannot be read at all.
    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent)
        throws
}

/// Which format it is.
package struct AnnotationKind: Equatable, Sendable {
    /// The value of `--annotations-format`.
    package let name: String
    /// What messages call it.
    package let title: String
}

/// The user's options for annotation files.
package struct AnnotationOptions: Sendable {
    /// Names of columns; nil: the usual ones.
    package var labelColumn, startColumn, endColumn, durationColumn, pathColumn: String?
    /// The label of annotations that have none; nil: they have none.
    package var label: String?
    /// Whose annotations are taken; nil: all.
    package var annotator: String?
    /// The tier of a TextGrid, by its name, by its number as `#2`, or all whose names match a pattern.
    package var tier: String?
    /// The meaning of quotation marks in fields between tabs; nil: CSV's where the whole header is quoted, else literal.
    package var quoting: ManifestFormat.Quoting?
    /// The unit of times in a table with columns of any name; nil: as the columns' names say, or seconds.
    package var timeUnit: TimeUnit?
    /// Whether annotations are of the channels that their files name; otherwise they are of the whole recording.
    package var usesChannels = true

    package init() {}

    /// The options that name columns.
    package var namedColumns: [(setting: Note.Setting, name: String)] {
        let columns: [(Note.Setting, String?)] = [
            (.labelColumn, labelColumn), (.startColumn, startColumn), (.endColumn, endColumn),
            (.durationColumn, durationColumn), (.pathColumn, pathColumn),
        ]
        return columns.compactMap { setting, name in name.map { (setting, $0) } }
    }

    /// Whether columns of times are named.
    var namesTimes: Bool { startColumn != nil || endColumn != nil || durationColumn != nil }
}

/// Start and end of an annotation as the file gives them.
package struct AnnotationTimes: Hashable, Sendable {
    package struct Range: Hashable, Sendable {
        package let start, end: Double

        package init(start: Double, end: Double) { (self.start, self.end) = (start, end) }
    }

    /// In seconds; nil: only samples are given.
    package let seconds: Range?
    /// Positions in samples; nil: only seconds are given. They are exact where seconds are rounded.
    package let samples: Range?

    /// The row of a manifest; nil: another file.
    package let segment: Segment?

    /// By how much rounded seconds and samples may differ, in seconds.
    private static let tolerance = 0.001

    package init(seconds: Range?, samples: Range? = nil) {
        (self.seconds, self.samples, segment) = (seconds, samples, nil)
    }

    /// The part of a recording that a row of a manifest names.
    package init(_ segment: Segment) {
        seconds = Range(start: segment.start, end: segment.end ?? Self.farEnd)
        samples = nil
        self.segment = segment
    }

    /// Stands for the end of a recording, in seconds.
    private static let farEnd = 1e9

    /// The same of a recording of this length in seconds.
    package func part(ofLength length: Double) -> AnnotationTimes {
        guard let segment else { return self }
        guard let part = segment.part(ofLength: length) else {
            return AnnotationTimes(seconds: Range(start: 0, end: length))
        }
        return part.end == nil ? AnnotationTimes(seconds: Range(start: part.start, end: max(part.start, length))) : self
    }

    /// In seconds at a sample rate; nil: the rate is needed and not known. Samples that do not fit the seconds are of another
    /// rate, and the seconds are taken.
    package func resolved(rate: Int?) -> (range: Range, isOtherRate: Bool)? {
        guard let samples, let rate, rate > 0 else { return seconds.map { ($0, false) } }
        let exact = Range(start: samples.start / Double(rate), end: samples.end / Double(rate))
        guard let seconds else { return (exact, false) }
        let fits =
            abs(exact.start - seconds.start) <= Self.tolerance && abs(exact.end - seconds.end) <= Self.tolerance
        return fits ? (exact, false) : (seconds, true)
    }
}

/// A row that is not read: it has a problem, or is of no class for sure.
package struct UnreadRow: Sendable {
    /// The name of its recording; nil: it is not known, or the file does not say.
    var recording: String?
    /// Nil: they are not known.
    var times: AnnotationTimes?
}

/// A marked part of a recording, as its file gives it.
package struct AnnotationRow: Sendable {
    /// The line, from 1.
    package let line: Int
    /// The name of the recording; nil: the file does not say.
    package var recording: String?
    package internal(set) var times: AnnotationTimes
    /// The channel, from 0 in every format; nil: the file does not say.
    package var channel: Int?
    /// The edges in Hz, 0 or more; nil: not given.
    package var low, high: Double?
    /// All its labels, each once; empty: none.
    package var labels: [String]
    /// From 0 to 1; nil: not given.
    package var confidence: Double?
    /// Whose it is, or its tier: two that agree are not a repetition. Nil: the file does not say.
    package var origin: String?
    /// Values of the other columns of `AnnotationContent.columns`.
    package var extra: [String] = []

    /// - Parameter labels: Nil: `label`, if it is not empty.
    init(
        line: Int, recording: String? = nil, times: AnnotationTimes, channel: Int? = nil, low: Double? = nil,
        high: Double? = nil, label: String = "", labels: [String]? = nil, confidence: Double? = nil,
        origin: String? = nil, extra: [String] = []
    ) {
        self.line = line
        self.recording = recording
        self.times = times
        self.channel = channel
        // What is negative or not finite counts as not given, and edges in the wrong order are swapped.
        let edges = Annotation(start: 0, end: 0, low: low, high: high)
        (self.low, self.high) = (edges?.low, edges?.high)
        self.labels = labels ?? (label.isEmpty ? [] : [label])
        self.confidence = confidence
        self.origin = origin
        self.extra = extra
    }

    /// The first of its labels; empty: it has none.
    package var label: String { labels.first ?? "" }

    /// At a sample rate, with all labels in one name; nil: the rate is needed and not known.
    package func annotation(rate: Int?) -> Annotation? {
        times.resolved(rate: rate).flatMap {
            Annotation(
                start: $0.range.start, end: $0.range.end, low: low, high: high, label: labels.joined(separator: ", "))
        }
    }
}

/// What an annotation file says.
package struct AnnotationContent: Sendable {
    package internal(set) var rows: [AnnotationRow] = []
    /// Names of the rows' `extra` values.
    package internal(set) var columns: [String] = []
    /// Whether the file has labels at all.
    package internal(set) var hasLabels = true
    /// The column that they are read of; nil: there is none, or it has no name.
    package internal(set) var labelColumn: String?
    /// Whether the format has columns, which options can name.
    package internal(set) var hasColumns = true
    /// Whether the file says whose its annotations are.
    package internal(set) var hasAnnotators = false
    /// All annotators, where those of one are asked for; nil: they are not, or there is nothing to ask of.
    package private(set) var annotators: Set<String>?
    /// Whether the file has columns that are read as nothing else.
    var hasOtherColumns: Bool { hasColumns && !columns.isEmpty }
    /// Whether rows name recordings without an extension, or by their ids.
    package internal(set) var namesStems = false
    /// Whether times may count from the start of the first of several recordings.
    package internal(set) var maybeCumulative = false
    /// Whether it cannot be known what the times count from. A problem of the file says so, and its rows are not annotations.
    package internal(set) var areTimesDoubtful = false
    /// The length of the recording in seconds, as the file says it; nil: it does not.
    package internal(set) var declaredLength: Double?
    /// Whether windows of detections may end after the recording, as BirdNET's do.
    package internal(set) var isPadded = false
    /// Number of a manifest's rows without times, which mark nothing.
    package internal(set) var rowsWithoutTimes = 0
    /// What was read and not used. The source is the file.
    package internal(set) var account = Account()
    /// Rows that are not read, where the format tells them apart.
    package private(set) var unread: [UnreadRow] = []
    /// The first problems.
    package private(set) var problems: [AnnotationProblem] = []
    /// The number of all problems.
    package private(set) var problemCount = 0

    private static let keptProblems = 1000

    mutating func add(problem: @autoclosure () -> Note, line: Int?) {
        problemCount += 1
        if problems.count < Self.keptProblems { problems.append(AnnotationProblem(line: line, text: problem())) }
    }

    mutating func add(_ row: AnnotationRow) { rows.append(row) }

    mutating func add(unread row: UnreadRow) { unread.append(row) }

    /// The number in a row's field, which may be empty. What is not a number counts as not given, and has a remark.
    ///
    /// - Parameters:
    ///   - column: The column's name.
    ///   - decimalComma: Whether a comma may be the decimal point.
    ///   - range: The numbers that have a meaning.
    mutating func number(
        _ field: String?, column: @autoclosure () -> String, decimalComma: Bool = false,
        in range: ClosedRange<Double> = -.infinity...(.infinity), line: Int
    ) -> Double? {
        guard let field, !FieldNumber.saysNone(field) else { return nil }
        if let number = FieldNumber.read(field, decimalComma: decimalComma), range.contains(number) { return number }
        account.add(
            .valuesUnread, source: "", at: line, "\(quoted(field)) in the column \(quoted(column())), line \(line)")
        return nil
    }

    /// Takes only the annotations of the annotator that is asked for, and gives those without a label the one that is given.
    mutating func apply(_ options: AnnotationOptions, as kind: AnnotationKind) {
        if let annotator = options.annotator {
            if hasAnnotators {
                annotators = rows.isEmpty ? nil : Set(rows.compactMap(\.origin))
            } else {
                add(
                    problem: kind == .textGrid
                        ? "a TextGrid has tiers in place of annotators: \(setting: .tier) takes one, or those that match a pattern"
                        : "\(setting: .annotator): there is no column of annotators; expected one named 'annotator', 'observer' or the "
                            + "like", line: nil)
            }
            rows.removeAll { $0.origin != annotator }
        }
        guard let label = options.label else { return }
        for index in rows.indices where rows[index].labels.isEmpty { rows[index].labels = [label] }
        hasLabels = true
    }

    /// A range in seconds; one that ends before it starts is a problem.
    ///
    /// - Parameter what: What has it, such as `detection`.
    mutating func range(of what: String, from start: Double, to end: Double, line: Int) -> AnnotationTimes.Range? {
        if end >= start { return AnnotationTimes.Range(start: start, end: end) }
        add(problem: "the \(what) ends at \(end) s, before it starts at \(start) s", line: line)
        return nil
    }

    /// Adds the problem that a line is not as expected.
    mutating func add(expected: String, at line: AnnotationDocument.Line) {
        add(problem: "expected \(expected), found \(quoted(String(line.text.prefix(60))))", line: line.number)
    }

    /// The channel of a row's field, which may be empty; what is not a channel is a problem.
    ///
    /// - Parameter base: The number of the first channel in the format.
    mutating func channel(_ field: String?, column: String, from base: Int, line: Int) -> Int? {
        guard let field else { return nil }
        if let channel = ChannelName.channel(field, from: base) { return channel }
        add(problem: "\(column) is \(quoted(field)); expected \(ChannelName.expectation(from: base))", line: line)
        return nil
    }
}
