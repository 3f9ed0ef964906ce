import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Annotations

/// An annotation file in memory.
func content(
    _ text: String, name: String = "a.txt", format: String? = nil,
    _ change: (inout AnnotationOptions) -> Void = { _ in }
) throws -> (kind: AnnotationKind, content: AnnotationContent) {
    var options = AnnotationOptions()
    change(&options)
    let table = try AnnotationTable(
        document: AnnotationDocument(path: "/data/" + name, bytes: Array(text.utf8)), options: options, format: format)
    return (table.kind, table.content)
}

/// A row as a text, with the times in seconds at a rate.
func shown(_ row: AnnotationRow, rate: Int? = 1000) -> String {
    guard let annotation = row.annotation(rate: rate) else { return "no times" }
    var text = "\(annotation.start)-\(annotation.end) \(row.label)"
    if row.low != nil || row.high != nil {
        text += " \(row.low.map { "\($0)" } ?? "")…\(row.high.map { "\($0)" } ?? "") Hz"
    }
    if let recording = row.recording { text += " in \(recording)" }
    if let confidence = row.confidence { text += " (\(confidence))" }
    if !row.extra.isEmpty { text += " \(row.extra)" }
    return text
}

extension AnnotationContent {
    var shownRows: [String] { rows.map { shown($0) } }
    var shownProblems: [String] { problems.map { "\($0.line.map(String.init) ?? "-"): \($0.text)" } }
}

/// What is said of rows in tables of more than one form, each once.
enum AnnotationSentence {
    static let noSeconds = "expected a number of seconds"

    static func backwards(_ what: String, end: String, start: String) -> String {
        "the \(what) ends at \(end), before it starts at \(start)"
    }
    static func noColumn(_ name: String) -> String { "has no column '\(name)'" }
    static func noLabel(found: String) -> String { "expected start, end and label between tabs, found '\(found)'" }
    static func notCSV(delimiter: String) -> String { "expected fields between \(delimiter), quoted as in CSV" }
}
