import FeatureModel
import Manifests

extension AnnotationKind {
    package static let manifest = AnnotationKind(name: "manifest", title: "manifest")
}

/// A manifest's rows as annotations: their times and labels, and frequencies in Hz from the columns `low` and `high`, or
/// `low_frequency` and `high_frequency`.
enum ManifestAnnotations: AnnotationFormat {
    static var kind: AnnotationKind { .manifest }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        guard let format = ManifestFormat(path: document.path), !options.namesTimes else { return false }
        if format == .jsonLines || document.path.lowercased().hasSuffix(".gz") { return true }
        guard let table = DelimitedTable(document, options), hasPath(table) else { return false }
        return table.column("start") != nil || !TimesTable.matches(document, options)
    }

    private static func hasPath(_ table: DelimitedTable) -> Bool {
        table.header.contains { $0 == "path" || $0 == "\"path\"" }
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) throws {
        let found =
            try ManifestFormat(path: document.path) ?? ManifestStart(ManifestInput(path: document.path)).format
        let named = found ?? .csv
        let format = options.quoting.flatMap(named.quoted) ?? named
        let manifest = try Manifest.scan(path: document.path, format: format)
        func column(_ names: [String]) -> Int? {
            names.lazy.compactMap { manifest.extraColumns.firstIndex(of: $0) }.first
        }
        let low = column(["low", "low_frequency"])
        let high = column(["high", "high_frequency"])
        let label = options.labelColumn.flatMap { manifest.extraColumns.firstIndex(of: $0) }
        let confidence = column(["confidence", "score"])
        if let name = options.labelColumn, label == nil, name != "label" {
            content.add(problem: "there is no column \(quoted(name)), which --label-column names", line: nil)
        }
        content.hasLabels = label != nil || manifest.hasLabelColumn
        let others = manifest.extraColumns.indices.filter { ![low, high, label, confidence].contains($0) }
        content.columns = others.map { manifest.extraColumns[$0] }
        let reader = try manifest.rows()
        while let clip = try reader.next() {
            guard let segment = clip.segment else {
                content.rowsWithoutTimes += 1
                continue
            }
            let line = reader.origin.line
            func number(_ column: Int?, in range: ClosedRange<Double> = -.infinity...(.infinity)) -> Double? {
                guard let column else { return nil }
                return content.number(
                    clip.extra[column], column: manifest.extraColumns[column], in: range, line: line)
            }
            let frequencies = 0...Double.infinity
            content.add(
                AnnotationRow(
                    line: line, recording: clip.path,
                    times: AnnotationTimes(segment), channel: options.usesChannels ? clip.channel : nil,
                    low: number(low, in: frequencies), high: number(high, in: frequencies),
                    label: label.map { clip.extra[$0] } ?? clip.label,
                    confidence: number(confidence), extra: others.map { clip.extra[$0] }))
        }
    }
}
