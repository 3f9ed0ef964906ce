import FeatureModel
import Foundation

/// Audacity's labels: lines of start, end and label between tabs. A line that begins with a backslash gives the lowest and the
/// highest frequency of the label before it, negative where there is none.
enum AudacityLabels {
    /// Reads the labels.
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
                    path: path, line: line.number, text: "the label ends at \(end) s, before it begins at \(start) s")
            }
            annotations.append(annotation)
        }
        return annotations.map { AnnotationTable.Row(recording: nil, annotation: $0) }
    }

    /// A number, with the decimal comma that some systems' Audacity writes.
    private static func number(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let number = Double(text) ?? Double(text.replacing(",", with: ".")), number.isFinite else { return nil }
        return number
    }
}
