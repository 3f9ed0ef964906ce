import FeatureModel

/// Checks every value of a row, and gives the clip its id, segment and channel.
struct RowInterpreter {
    /// By how much `end` and `start` + `duration` may differ, in seconds.
    private static let tolerance = 1e-6

    /// UTF-8 bytes of the id, given or made from the path.
    private(set) var id: [UInt8] = []
    /// The part of the recording; nil: all of it.
    private(set) var segment: Segment?
    /// The channel; nil: as configured.
    private(set) var channel: Int?
    /// Whether a recording of one channel is meant by any `channel`.
    private(set) var acceptsMono = false
    /// What the row declares of its recording; nil: nothing.
    private(set) var declared: DeclaredRecording?

    /// Numbers of all rows, by their lines.
    private(set) var grouped = GroupedNumbers<Int>()

    /// Reads the row's values; adds their problems to `problems`.
    mutating func interpret(_ row: ManifestRow, problems: inout ProblemList) {
        id.removeAll(keepingCapacity: true)
        segment = nil
        (channel, acceptsMono, declared) = (nil, false, nil)
        if let problem = row.problem {
            problems.add(problem, line: row.line)
            return
        }
        if row.range(.path).isEmpty { problems.add("path is empty; every row has to name a recording", line: row.line) }
        if RecordingList.isOne(row.bytes[row.range(.path)]) {
            problems.add(Note(RecordingList.refusal(ManifestColumn.path.name)), line: row.line)
        }
        if let refusal = RecordingList.objectRefusal(row.bytes[row.range(.path)]) {
            problems.add(Note(refusal), line: row.line)
        }
        interpretSegment(row, &problems)
        interpretChannel(row, &problems)
        interpretRecording(row, &problems)
        interpretID(row)
    }

    private mutating func interpretID(_ row: ManifestRow) {
        let given = row.range(.id)
        guard given.isEmpty else {
            id.append(contentsOf: row.bytes[given])
            return
        }
        let stem = row.withBytes(ManifestColumn.path.rawValue, DefaultIdentifier.stemLength)
        id.append(contentsOf: row.bytes[row.range(.path).prefix(stem)])
        if let channel { id.append(contentsOf: DefaultIdentifier.suffix(channel: channel).utf8) }
        if let segment { id.append(contentsOf: DefaultIdentifier.suffix(segment).utf8) }
    }

    private mutating func interpretSegment(_ row: ManifestRow, _ problems: inout ProblemList) {
        if row.range(.start).isEmpty, row.range(.end).isEmpty, row.range(.duration).isEmpty { return }
        let before = problems.total
        let start = number(.start, row, &problems)
        let end = number(.end, row, &problems)
        let duration = number(.duration, row, &problems)
        let overshoot = number(.overshoot, row, &problems)
        // Blank cells count as not given.
        guard problems.total == before, start != nil || end != nil || duration != nil else { return }
        if let overshoot, !(0...AudioConfiguration.maximumOvershoot).contains(overshoot) {
            problems.add(
                "max_overshoot is \(overshoot); expected 0 to \(Int(AudioConfiguration.maximumOvershoot)) seconds",
                line: row.line)
            return
        }
        do {
            segment = try Self.segment(start: start, end: end, duration: duration, overshoot)
        } catch {
            problems.add(Note(error.text), line: row.line)
        }
    }

    private struct Refusal: Error { let text: String }

    private static func segment(
        start given: Double?, end: Double?, duration: Double?, _ overshoot: Double?
    ) throws(Refusal) -> Segment {
        // Adding 0 makes −0 a plain 0.
        let start = (given ?? 0) + 0
        if start < 0 { throw Refusal(text: "start is \(start); expected 0 or more seconds") }
        if let duration, duration <= 0 { throw Refusal(text: "duration is \(duration); expected more than 0 seconds") }
        let last = end ?? duration.map { sum(start, $0) }
        if let last, last <= start {
            throw Refusal(
                text: "end \(last) is not after start \(start); expected seconds from the start of the recording")
        }
        if let end, let duration, abs(start + duration - end) > tolerance {
            throw Refusal(
                text: "end \(end) and start + duration \(sum(start, duration)) disagree; give one of end and duration")
        }
        let found: Segment? =
            if given == nil, end == nil, let duration {
                Segment(length: duration, overshoot: overshoot)
            } else {
                Segment(start: start, end: last, overshoot: overshoot)
            }
        guard let segment = found else {
            throw Refusal(text: "start and end are not finite numbers of seconds")
        }
        return segment
    }

    /// Start and duration added and rounded to a nanosecond, so that 0.1 and 0.2 give 0.3 as the end column would.
    private static func sum(_ start: Double, _ duration: Double) -> Double {
        let exact = start + duration
        let rounded = (exact * 1e9).rounded() / 1e9
        return abs(rounded - exact) < 1e-9 && rounded > start ? rounded : exact
    }

    private mutating func interpretChannel(_ row: ManifestRow, _ problems: inout ProblemList) {
        var bytes = row.bytes[row.range(.channel)].trimmingBlanks
        guard !bytes.isEmpty else { return }
        if bytes.last == UInt8(ascii: "?") {
            acceptsMono = true
            bytes.removeLast()
        }
        var text = String(decoding: bytes, as: UTF8.self)
        if row.hasDecimalComma { text = text.replacing(",", with: ".") }
        guard bytes.allSatisfy({ FieldValue.isPartOfNumber($0) }) || bytes.count == 1,
            let found = ChannelName.channel(text)
        else {
            problems.add(
                "channel is \(quoted(row.text(ManifestColumn.channel.rawValue))); expected \(ChannelName.expectation())",
                line: row.line)
            return
        }
        channel = found
    }

    private mutating func interpretRecording(_ row: ManifestRow, _ problems: inout ProblemList) {
        let columns: [ManifestColumn] = [.recordingDuration, .recordingSamples, .recordingRate]
        guard columns.contains(where: { !row.range($0).isEmpty }) else { return }
        func whole(_ column: ManifestColumn) -> Int? {
            guard let value = number(column, row, &problems) else { return nil }
            if let whole = Int(exactly: value), whole > 0 { return whole }
            problems.add("\(column.name) is \(value); expected a whole number of 1 or more", line: row.line)
            return nil
        }
        let mark = UInt8(ascii: "?")
        let isRequired = row.bytes[row.range(.recordingDuration)].trimmingBlanks.last != mark
        let duration = number(.recordingDuration, row, endingIn: mark, &problems)
        if let duration, duration <= 0 {
            problems.add("recording.duration is \(duration); expected more than 0 seconds", line: row.line)
        }
        declared = DeclaredRecording(
            duration: duration, sampleCount: whole(.recordingSamples), sampleRate: whole(.recordingRate),
            requiresDuration: isRequired)
    }

    /// The number in a column; nil where it is not given, or not a number, which is a problem.
    ///
    /// - Parameter mark: A byte that may follow the number.
    private mutating func number(
        _ column: ManifestColumn, _ row: ManifestRow, endingIn mark: UInt8? = nil, _ problems: inout ProblemList
    ) -> Double? {
        let range = row.range(column)
        if range.isEmpty { return nil }
        var bytes = row.bytes[range].trimmingBlanks
        if bytes.isEmpty { return nil }
        if let mark, bytes.last == mark { bytes.removeLast() }
        if let value = FieldValue.number(bytes, decimalComma: row.hasDecimalComma) {
            if row.hasDecimalComma { grouped.take(String(decoding: bytes, as: UTF8.self), column, at: row.line) }
            return value
        }
        let found = "\(column.name) is \(quoted(row.text(column.rawValue)))"
        let hint =
            bytes.contains(Byte.comma) && !row.hasDecimalComma
            ? "; write the decimal point as '.'" : bytes.contains(UInt8(ascii: ":")) ? "; write 1:30 as 90" : ""
        let unit = column == .recordingSamples || column == .recordingRate ? "" : " of seconds"
        problems.add("\(found); expected a finite number\(unit)\(hint)", line: row.line)
        return nil
    }
}
