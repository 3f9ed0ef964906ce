import FeatureModel
import Presentation

/// Annotations of recordings, each checked against the length of its recording.
struct AnnotationCheck {
    /// An annotation that lies in its recording.
    struct Found {
        let table: Int
        let row: AnnotationRow
        let mark: Mark
        /// The same with its other labels.
        var otherMarks: [Mark] { row.labels.dropFirst().map { Mark(span: mark.span, label: $0) } }
        /// The only channel that it belongs to, from 0; nil: all that the clip has.
        let channel: Int?
        fileprivate let reference: AnnotationBinding.Row
    }

    private typealias Reference = AnnotationBinding.Row

    private(set) var problems: [SourceProblem] = []
    private var account = Account()
    /// What to do about problems.
    var hints: [SourceNote] { zip(late, tables).compactMap { $0.hint($1.table) } }
    /// Every label, with the first row that has it.
    private(set) var labels: [(label: String, path: String, line: Int)] = []

    private let tables: [FoundTable]
    private let minimumConfidence: Double?
    private let truncated: RecordingPolicy.Truncated
    private var knownLabels: Set<String> = []
    private var unsure = 0
    /// Those that were cut off at the end of their recording; separately, windows, which a detector always pads.
    private var (cut, cutWindows): (Set<Reference>, Set<Reference>) = ([], [])
    /// Those after the readable part of a recording, and those that repeat what another annotator or tier has.
    private var (afterCut, agreeing): (Set<Reference>, Set<Reference>) = ([], [])
    /// Those that have the label of their recording, since their table names none, and the first such label.
    private var (withLabelOfRecording, recordingLabel): (Set<Reference>, String?) = ([], nil)
    /// Those without a label.
    private var unlabelled: Set<Reference> = []
    private var hasConfidence = false
    /// The first table of an annotation without a confidence.
    private var tableWithoutConfidence: Int?
    /// That nothing can be left out by a minimum confidence.
    var confidenceProblems: [SourceProblem] {
        guard minimumConfidence != nil, !hasConfidence, let table = tableWithoutConfidence else { return [] }
        return [
            SourceProblem(
                tables[table].table.path, .noConfidence(hasDistances: tables[table].table.hasDistances))
        ]
    }

    private var otherRates: Set<Int> = []
    private var otherLengths: Set<Int> = []
    /// Annotations of a channel that some clip of their recording does not have, and those that a clip has.
    private var (ofOtherChannels, taken): (Set<Reference>, Set<Reference>) = ([], [])

    private var parts = PartsOfSource()
    /// For each table, times after the end of their recordings.
    private var late: [LateTimes]

    /// What makes two rows the same.
    private struct Key: Hashable {
        let table: Int
        let span: TimeSpan
        let channel: Int?
        let labels: [String]
        let low, high: Double?
        var origin: String?
    }

    /// The channels that any annotation names.
    private let namedChannels: Set<Int>

    init(tables: [FoundTable], minimumConfidence: Double?, truncated: RecordingPolicy.Truncated) {
        self.truncated = truncated
        self.tables = tables
        namedChannels = Set(tables.lazy.flatMap(\.table.content.rows).compactMap(\.channel))
        self.minimumConfidence = minimumConfidence
        late = Array(repeating: LateTimes(), count: tables.count)
    }

    /// The annotations of a recording, by their starts, unless they are to keep the order of the files.
    ///
    /// - Parameter read: The channels that the clips of the recording have together; nil: those of `clip`.
    /// - Returns: `unread`: where those with problems lie in the recording.
    mutating func take(
        _ rows: [AnnotationBinding.Row], of recording: RecordingLengths.Recording, clip: Clip, read: Set<Int>? = nil,
        isSorted: Bool = true
    ) -> (found: [Found], unread: [TimeSpan]) {
        var (found, unread): ([Found], [TimeSpan]) = ([], [])
        var seen: [Key: Int] = [:]
        /// Without their origins.
        var spans: Set<Key> = []
        for reference in rows {
            let content = tables[reference.table].table.content
            compareLength(content, reference.table, recording)
            if content.areTimesDoubtful { continue }
            var row = content.rows[reference.row]
            let known = problems.count
            defer {
                if problems.count > known, let span = row.times.span(within: recording) { unread.append(span) }
            }
            guard isSure(row, reference.table) else { continue }
            let channel: Int?
            switch match(row.channel, recording, clip) {
            case .all: channel = nil
            case .one(let number) where read?.contains(number) == false:
                ofOtherChannels.insert(reference)
                continue
            case .one(let number): channel = number
            case .missing(let number):
                add(
                    reference.table, row.line,
                    .noSuchChannel(number, recording: clip.path, channels: recording.channels))
                continue
            case .elsewhere:
                ofOtherChannels.insert(reference)
                continue
            }
            taken.insert(reference)
            if !content.hasLabels {
                row.labels = clip.label.isEmpty ? [] : [clip.label]
                if !clip.label.isEmpty {
                    withLabelOfRecording.insert(reference)
                    recordingLabel = recordingLabel ?? clip.label
                }
            }
            if row.labels.isEmpty { unlabelled.insert(reference) }
            row.channel = channel
            guard let span = span(row, reference, recording, isPadded: content.isPadded) else { continue }
            var key = Key(
                table: reference.table, span: span, channel: channel, labels: row.labels, low: row.low, high: row.high)
            let isKnown = !spans.insert(key).inserted
            key.origin = row.origin
            if let first = seen[key] {
                add(reference.table, row.line, .repeated(line: first))
                continue
            }
            if isKnown { agreeing.insert(reference) }
            seen[key] = row.line
            for label in row.labels where knownLabels.insert(label).inserted {
                labels.append((label, tables[reference.table].table.path, row.line))
            }
            found.append(
                Found(
                    table: reference.table, row: row, mark: Mark(span: span, label: row.label), channel: channel,
                    reference: reference))
        }
        guard isSorted else { return (found, unread) }
        let sorted = found.sorted {
            ($0.mark.span.start, $0.mark.span.end) < ($1.mark.span.start, $1.mark.span.end)
        }
        return (sorted, unread)
    }

    /// The annotations of a recording in the order of the files; those that lie in it, if its length is known.
    ///
    /// - Parameters:
    ///   - recording: Nil: it cannot be opened.
    ///   - read: The channels that its clips have together; nil: all.
    mutating func rows(
        _ references: [AnnotationBinding.Row], of recording: RecordingLengths.Recording?, clip: Clip, read: Set<Int>?
    ) -> [AnnotationRow] {
        if let recording {
            // Their order decides between those that start at the same time.
            return take(references, of: recording, clip: clip, read: read, isSorted: false).found.map(\.row)
        }
        return references.compactMap { reference in
            let row = tables[reference.table].table.content.rows[reference.row]
            return isSure(row, reference.table) ? row : nil
        }
    }

    /// Takes note of a table that is of a longer or shorter recording.
    private mutating func compareLength(
        _ content: AnnotationContent, _ table: Int, _ recording: RecordingLengths.Recording
    ) {
        let length = Nanoseconds.seconds(recording.length)
        guard let declared = content.declaredLength, abs(declared - length) > DeclaredRecording.looseTolerance,
            otherLengths.insert(table).inserted
        else { return }
        account.add(
            .lengthsDiffer, source: tables[table].table.path,
            "\(Wording.thousandths(declared)) s declared, and the recording lasts \(Wording.thousandths(length)) s")
    }

    /// Whether an annotation is not below the minimum confidence; notes it otherwise.
    private mutating func isSure(_ row: AnnotationRow, _ table: Int) -> Bool {
        guard let confidence = row.confidence else {
            if tableWithoutConfidence == nil { tableWithoutConfidence = table }
            return true
        }
        hasConfidence = true
        guard let minimumConfidence else { return true }
        guard confidence <= 1 else {
            add(table, row.line, .confidenceOutOfRange(confidence))
            return false
        }
        if confidence < minimumConfidence { unsure += 1 }
        return confidence >= minimumConfidence
    }

    private enum ChannelMatch {
        /// It is of every channel that the clip has.
        case all
        case one(Int)
        /// The recording has no such channel.
        case missing(Int)
        /// The clip is of another channel.
        case elsewhere
    }

    /// Which channel of a clip's recording an annotation is of.
    private func match(_ channel: Int?, _ recording: RecordingLengths.Recording, _ clip: Clip) -> ChannelMatch {
        guard let channel else { return .all }
        guard channel < recording.channels else { return .missing(channel) }
        guard recording.channels > 1 else { return .all }
        guard let own = clip.channel(ofChannels: recording.channels) else { return .one(channel) }
        return own == channel ? .all : .elsewhere
    }

    /// The channels that a recording is cut into windows of: those that its annotations name, or else those that any annotation
    /// names; nil: what the source says.
    func channels(_ found: [Found], of recording: RecordingLengths.Recording, clip: Clip) -> [Int?] {
        guard clip.channel(ofChannels: recording.channels) == nil, recording.channels > 1 else { return [nil] }
        let own = Set(found.compactMap(\.channel))
        guard own.isEmpty else { return own.sorted() }
        let named = found.isEmpty ? namedChannels.filter { $0 < recording.channels }.sorted() : []
        return named.isEmpty ? [nil] : named
    }

    /// Where an annotation lies; nil where that is a problem.
    private mutating func span(
        _ row: AnnotationRow, _ reference: Reference, _ recording: RecordingLengths.Recording, isPadded: Bool
    ) -> TimeSpan? {
        let table = reference.table
        // A recording has a rate, so times are always known.
        let times = row.times.part(ofLength: Nanoseconds.seconds(recording.length))
        guard let (range, isOtherRate) = times.resolved(rate: recording.sampleRate) else { return nil }
        if isOtherRate, otherRates.insert(table).inserted {
            account.add(
                .timesDisagree, source: tables[table].table.path, at: row.line,
                "line \(row.line) (at \(recording.sampleRate) Hz)")
        }
        let (start, end) = (Nanoseconds.of(range.start), Nanoseconds.of(range.end))
        if recording.isCut, start >= 0, max(end, start + 1) > recording.length {
            return spanAtCut(start, end, row.line, reference, recording)
        }
        switch MarkPosition(start: start, end: end, length: recording.length, isPadded: isPadded) {
        case .inside(let span, let isCut):
            late[table].someFit = true
            if isCut, isPadded { cutWindows.insert(reference) } else if isCut { cut.insert(reference) }
            return span
        case .startsBefore: add(table, row.line, .startsBefore(start: start))
        case .startsLate:
            late[table].count(range, of: recording, isStart: true)
            add(table, row.line, .startsLate(start: start, length: recording.length))
        case .endsLate:
            late[table].count(range, of: recording, isStart: false)
            add(table, row.line, .endsLate(end: end, length: recording.length))
        }
        return nil
    }

    /// Where an annotation lies that ends after the readable part of a recording.
    private mutating func spanAtCut(
        _ start: Int, _ end: Int, _ line: Int, _ reference: Reference, _ recording: RecordingLengths.Recording
    ) -> TimeSpan? {
        let isInside = start < recording.length
        guard truncated == .keep else {
            add(
                reference.table, line,
                .beyondCut(isInside ? end : start, isStart: !isInside, length: recording.length))
            return nil
        }
        guard isInside else {
            afterCut.insert(reference)
            return nil
        }
        cut.insert(reference)
        return TimeSpan(start: start, end: recording.length)
    }

    private mutating func add(_ table: Int, _ line: Int, _ kind: SourceProblem.Kind) {
        problems.append(SourceProblem(tables[table].table.path, line: line, kind))
    }

    /// Takes note of what lies outside a row of the source, which is a part of its recording.
    mutating func compare(_ found: [Found], with part: TimeSpan) {
        for one in found { parts.compare(one.reference, one.mark.span, with: part) }
    }

    /// The clips of annotations.
    mutating func clips(
        _ found: [Found], in part: TimeSpan, of clip: Clip, rules: ClipRules, _ made: inout MadeClips
    ) -> [ClipDraft] {
        var drafts: [ClipDraft] = []
        for one in found {
            switch rules.outcome(of: one.mark.span, in: part) {
            case .clip(let span, let isWidened):
                if isWidened { made.widened += 1 }
                drafts.append(
                    ClipDraft(
                        clip: clip, span: span, channel: one.channel, label: one.row.label, labels: one.row.labels,
                        row: (one.table, one.row)))
            case .tooShort: made.tooShort += 1
            case .tooLong: made.tooLong += 1
            case .elsewhere: continue
            case .empty: add(one.table, one.row.line, .point)
            }
        }
        // Widening can change the order.
        return drafts.sorted { $0.span.start < $1.span.start }
    }

    /// What was read and not used, or not as it is.
    ///
    /// - Parameter isOfClips: Whether each annotation is a clip.
    func account(isOfClips: Bool) -> Account {
        var account = account
        func report(_ kind: Remark.Kind, _ references: Set<Reference>, _ reason: String = "") {
            for reference in references {
                let table = tables[reference.table].table
                let line = table.content.rows[reference.row].line
                account.add(kind, source: table.path, at: line, "line \(line)\(reason)")
            }
        }
        report(.annotationsAfterCut, afterCut)
        report(.annotationsUnused, ofOtherChannels.subtracting(taken), " (of a channel that no clip has)")
        report(.annotationsUnused, parts.outside, " (in no part of its recording that the source names)")
        report(.endsCut, cut)
        // Of a table without any labels, its own remark says so.
        let isBlank = tables.map(\.table.isUnlabelled)
        report(.labelsMissing, unlabelled.filter { !isBlank[$0.table] })
        guard isOfClips else { return account }
        report(.annotatorsAgree, agreeing)
        report(.endsCut, parts.cut, " (at the edge of a part of its recording that the source names)")
        return account
    }

    var notes: [SourceNote] {
        var notes: [SourceNote] = []
        if unsure > 0 { notes.append(.belowConfidence(unsure)) }
        if let recordingLabel { notes.append(.labelledAsRecording(withLabelOfRecording.count, label: recordingLabel)) }
        if !cutWindows.isEmpty { notes.append(.cutAtEnd(cutWindows.count)) }
        return notes
    }
}

/// Annotations of a source whose rows are parts of recordings: which of them lie in none, and which are cut.
struct PartsOfSource {
    private typealias Reference = AnnotationBinding.Row

    private var (known, inside, whole): (Set<Reference>, Set<Reference>, Set<Reference>) = ([], [], [])

    /// Takes note of an annotation of the recording of a part.
    mutating func compare(_ reference: AnnotationBinding.Row, _ span: TimeSpan, with part: TimeSpan) {
        known.insert(reference)
        let isPoint = span.length == 0
        guard span.start < part.end || isPoint && span.start == part.end,
            span.end > part.start || isPoint && span.start == part.start
        else { return }
        inside.insert(reference)
        if span.start >= part.start, span.end <= part.end { whole.insert(reference) }
    }

    /// Those that lie in no part.
    var outside: Set<AnnotationBinding.Row> { known.subtracting(inside) }
    /// Those that lie wholly in no part.
    var cut: Set<AnnotationBinding.Row> { inside.subtracting(whole) }
}
