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

    /// The rows, with the column of recordings that an option names.
    private static func manifest(
        _ path: String, _ format: ManifestFormat, _ options: AnnotationOptions
    ) throws -> Manifest {
        guard let column = options.pathColumn else {
            return try Manifest.scan(path: path, format: format, idsMayRepeat: true)
        }
        let builder = try ManifestBuilder(name: path, columns: ColumnMap([(.known(.path), column)]), isTable: true)
        try builder.add(tableOf: ManifestInput(path: path), format: format)
        do throws(ManifestError) { return try builder.finish(idsMayRepeat: true) } catch {
            guard case .missingMappedColumn(_, let name, _, let columns, _) = error else { throw error }
            throw AnnotationError.invalid(
                path: path,
                problems: [
                    AnnotationProblem(
                        line: nil,
                        text: "there is no column \(quoted(name)), which --path-column names; the columns are: "
                            + columns.map(quoted).joined(separator: ", "))
                ], total: 1)
        }
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) throws {
        let found =
            try ManifestFormat(path: document.path) ?? ManifestStart(ManifestInput(path: document.path)).format
        let named = found ?? .csv
        let format = options.quoting.flatMap(named.quoted) ?? named
        let manifest = try self.manifest(document.path, format, options)
        func column(_ names: [String]) -> Int? {
            names.lazy.compactMap { manifest.extraColumns.firstIndex(of: $0) }.first
        }
        let low = column(["low", "low_frequency"])
        let high = column(["high", "high_frequency"])
        let label = options.labelColumn.flatMap { name in
            manifest.extraColumns.firstIndex(of: name)
                ?? manifest.extraColumns.firstIndex { $0.lowercased() == name.lowercased() }
        }
        let annotator = manifest.extraColumns.firstIndex { UnitName($0).isOne(of: ColumnNames.annotators) }
        content.hasAnnotators = annotator != nil
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
                    confidence: number(confidence),
                    origin: annotator.map { clip.extra[$0] }.flatMap { $0.isEmpty ? nil : $0 },
                    extra: others.map { clip.extra[$0] }))
        }
    }
}
