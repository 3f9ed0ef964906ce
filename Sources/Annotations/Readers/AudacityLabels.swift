import FeatureModel
import Manifests

extension AnnotationKind {
    package static let audacity = AnnotationKind(name: "audacity", title: "a file of Audacity's labels")
}

/// Audacity's labels: lines of start, end and label between tabs. A line that starts with a backslash gives the minimum and
/// maximum frequency of the preceding label, negative where there is none.
enum AudacityLabels: AnnotationFormat {
    static var kind: AnnotationKind { .audacity }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        guard document.text != nil else { return false }
        // Audacity writes an empty file where there are no labels.
        guard let line = document.head().first else { return ManifestFormat(path: document.path) == nil }
        let fields = line.text.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        return frequencies(fields) != nil || times(fields) != nil
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        content.hasColumns = false
        // Frequencies are those of the label above them, and not of an earlier one where that has a problem.
        var lastHasProblem = false
        for line in document.lines where !line.isBlank {
            let known = content.problemCount
            defer { lastHasProblem = content.problemCount > known }
            let split = DelimitedTable.fields(line.text, UInt8(ascii: "\t"), isQuoted: options.quoting == .csv)
            guard let fields = split?.map({ $0[...] }) else {
                content.add(expected: "fields between tabs, quoted as in CSV and each on one line", at: line)
                continue
            }
            if let (low, high) = frequencies(fields) {
                if lastHasProblem { continue }
                guard let last = content.rows.popLast() else {
                    content.add(problem: "frequencies without a label in the line above", line: line.number)
                    continue
                }
                content.add(
                    AnnotationRow(line: last.line, times: last.times, low: low, high: high, label: last.label))
                continue
            }
            guard let (start, end) = times(fields) else {
                content.add(expected: "start, end and label between tabs", at: line)
                continue
            }
            guard let range = content.range(of: "label", from: start, to: end, line: line.number) else { continue }
            content.add(
                AnnotationRow(
                    line: line.number, times: AnnotationTimes(seconds: range),
                    label: fields.dropFirst(2).joined(separator: " ").trimmingSpaces()))
        }
    }

    /// Start and end of a label's line; nil for any other line.
    static func times(_ fields: [Substring]) -> (start: Double, end: Double)? {
        guard fields.count >= 2, let start = FieldNumber.read(fields[0], decimalComma: true),
            let end = FieldNumber.read(fields[1], decimalComma: true)
        else { return nil }
        return (start, end)
    }

    private static func frequencies(_ fields: [Substring]) -> (low: Double, high: Double)? {
        guard fields.count >= 3, fields[0] == "\\" || fields[0].isEmpty,
            let low = FieldNumber.read(fields[1], decimalComma: true),
            let high = FieldNumber.read(fields[2], decimalComma: true)
        else { return nil }
        return (low, high)
    }
}
