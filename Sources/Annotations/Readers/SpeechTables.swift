import FeatureModel
import Manifests

extension AnnotationKind {
    package static let ctm = AnnotationKind(name: "ctm", title: "a CTM")
    package static let rttm = AnnotationKind(name: "rttm", title: "an RTTM")
}

/// NIST's CTM: a word on each line, with recording, channel, start, duration and, perhaps, confidence. Kaldi writes it.
enum CTMWords: AnnotationFormat {
    static var kind: AnnotationKind { .ctm }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        if SpeechFields.hasName(document, "ctm") { return true }
        let lines = SpeechFields.lines(of: document).prefix(5).map(SpeechFields.words)
        return !lines.isEmpty
            && lines.allSatisfy { fields in
                (5...8).contains(fields.count) && ChannelName.channel(fields[1], from: 1) != nil
                    && Double(fields[2]) != nil && Double(fields[3]) != nil
            }
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        SpeechFields.read(
            document, atLeast: 5, expected: "RECORDING CHANNEL START DURATION WORD", into: &content
        ) { fields, line, content in
            SpeechFields.add(
                "word", of: fields[0], channel: fields[1], start: fields[2], length: fields[3], label: fields[4],
                confidence: fields.count > 5 ? fields[5] : nil, at: line, to: &content)
        }
    }
}

/// NIST's RTTM: a turn of a speaker on each line `SPEAKER`. Lines of other types are no turns.
enum RTTMTurns: AnnotationFormat {
    static var kind: AnnotationKind { .rttm }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        if SpeechFields.hasName(document, "rttm") { return true }
        guard let first = SpeechFields.lines(of: document).first(where: { _ in true }).map(SpeechFields.words) else {
            return false
        }
        return first.count >= 9 && (first[0] == "SPKR-INFO" || first[0] == "SPEAKER" && Double(first[3]) != nil)
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        SpeechFields.read(
            document, atLeast: 8, expected: "SPEAKER RECORDING CHANNEL START DURATION <NA> <NA> NAME", into: &content
        ) { fields, line, content in
            guard fields[0] == "SPEAKER" else {
                // What is known of a speaker marks nothing.
                guard fields[0] != "SPKR-INFO" else { return }
                content.account.add(
                    .annotationsUnused, source: "", at: line.number, "line \(line.number) (\(fields[0]))")
                return
            }
            SpeechFields.add(
                "turn", of: fields[1], channel: fields[2], start: fields[3], length: fields[4], label: fields[7],
                confidence: fields.count > 8 ? fields[8] : nil, at: line, to: &content)
        }
    }
}

/// Lines of fields between blanks, as NIST's formats have them.
private enum SpeechFields {
    /// The lines that are not blank, and no comments.
    static func lines(of document: AnnotationDocument) -> some Sequence<AnnotationDocument.Line> {
        document.lines.lazy.filter { !$0.isBlank && !$0.text.hasPrefix(";;") }
    }

    static func words(_ line: AnnotationDocument.Line) -> [String] {
        line.text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(Substring($0)) }
    }

    /// Whether a file has the name of a format, as in Kaldi's directories, or its extension.
    static func hasName(_ document: AnnotationDocument, _ format: String) -> Bool {
        document.text != nil && (document.pathExtension == format || document.name == format)
    }

    /// Reads a file. A line with fewer fields than `count` is a problem.
    static func read(
        _ document: AnnotationDocument, atLeast count: Int, expected: String, into content: inout AnnotationContent,
        take: ([String], AnnotationDocument.Line, inout AnnotationContent) -> Void
    ) {
        (content.hasColumns, content.namesStems) = (false, true)
        for line in lines(of: document) {
            let fields = words(line)
            guard fields.count >= count else {
                content.add(expected: expected, at: line)
                continue
            }
            take(fields, line, &content)
        }
    }

    /// Adds an annotation. What is no number of seconds, or no channel, is a problem.
    static func add(
        _ what: String, of recording: String, channel: String, start: String, length: String, label: String,
        confidence: String?, at line: AnnotationDocument.Line, to content: inout AnnotationContent
    ) {
        let known = content.problemCount
        let channel =
            isNone(channel) ? nil : content.channel(channel, column: "the channel", from: 1, line: line.number)
        guard let start = FieldNumber.read(start, decimalComma: false),
            let length = FieldNumber.read(length, decimalComma: false), start >= 0
        else { return content.add(expected: "a start and a duration in seconds", at: line) }
        guard
            let range = content.range(of: what, from: start, to: FieldNumber.end(of: start, length), line: line.number),
            content.problemCount == known
        else { return }
        let confidence = confidence.flatMap { isNone($0) ? nil : $0 }
        content.add(
            AnnotationRow(
                line: line.number, recording: recording, times: AnnotationTimes(seconds: range), channel: channel,
                label: isNone(label) ? "" : label,
                confidence: content.number(confidence, column: "the confidence", line: line.number)))
    }

    private static func isNone(_ field: String) -> Bool { field == "<NA>" }
}
