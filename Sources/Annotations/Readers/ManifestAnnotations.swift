import FeatureModel
import Manifests

extension AnnotationKind {
    package static let manifest = AnnotationKind(name: "manifest", title: "a manifest")
}

/// A manifest's rows as annotations: their times and labels, and other columns by the names of `ColumnNames`, as in a table of times.
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
        _ document: AnnotationDocument, _ format: ManifestFormat, _ options: AnnotationOptions
    ) throws -> Manifest {
        let path = document.path
        let input = ManifestInput(path: path)
        guard let column = options.pathColumn else {
            do throws(ManifestError) { return try Manifest.scan(input, format: format, idsMayRepeat: true) } catch {
                guard case .missingPathColumn(_, let columns, _) = error, isOfLhotse(columns) else { throw error }
                throw AnnotationError.ofLhotse(path: path)
            }
        }
        let builder = try ManifestBuilder(name: path, columns: ColumnMap([(.known(.path), column)]), isTable: true)
        try builder.add(tableOf: input, format: format)
        do throws(ManifestError) { return try builder.finish(idsMayRepeat: true) } catch {
            guard case .missingMappedColumn(_, let name, _, let columns, _) = error else { throw error }
            throw AnnotationError.invalid(
                path: path,
                problems: [
                    AnnotationProblem(
                        line: nil,
                        text:
                            "there is no column \(quoted(name)), which \(setting: .pathColumn) names; the columns are: "
                            + "\(columns.map(quoted).joined(separator: ", "))")
                ], total: 1)
        }
    }

    /// Whether the members of a manifest's objects are those of lhotse's cuts, supervisions or features.
    private static func isOfLhotse(_ columns: [String]) -> Bool {
        [["supervisions"], ["recording_id"], ["storage_type", "storage_path"]].contains {
            $0.allSatisfy(columns.contains)
        }
    }

    /// Which of a manifest's other columns are read.
    private struct Columns {
        let low, high, confidence, annotator: Int?
        /// Nil: labels are those of the manifest's own columns.
        let label: Int?
        /// The name of the column of labels; nil: there is none.
        let labelName: String?
        /// Hz in a unit of the frequency columns.
        let lowScale, highScale: Double

        init(_ manifest: Manifest, _ options: AnnotationOptions, _ content: inout AnnotationContent) {
            let header = manifest.extraColumns
            func usual(_ names: [String]) -> Int? { ColumnNames.first(of: names, in: header) }
            func scale(_ column: Int?) -> Double { column.map { UnitName(header[$0]).hertz } ?? 1 }
            (low, high) = (usual(ColumnNames.lows), usual(ColumnNames.highs))
            (lowScale, highScale) = (scale(low), scale(high))
            (confidence, annotator) = (usual(ColumnNames.confidences), usual(ColumnNames.annotators))
            let own = manifest.hasLabelColumn ? ManifestColumn.label.name : manifest.labelsColumn.map { header[$0] }
            guard let name = options.labelColumn else {
                label = own == nil ? usual(ColumnNames.annotationLabels) : nil
                labelName = own ?? label.map { header[$0] }
                return
            }
            label = header.firstIndex(of: name) ?? header.firstIndex { $0.lowercased() == name.lowercased() }
            labelName = name
            if label == nil, !manifest.hasLabelColumn || name.lowercased() != ManifestColumn.label.name {
                content.add(
                    problem: "there is no column \(quoted(name)), which \(setting: .labelColumn) names", line: nil)
            }
        }
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) throws {
        let found =
            try ManifestFormat(path: document.path) ?? ManifestStart(ManifestInput(path: document.path)).format
        let named = found ?? .csv
        let format = options.quoting.flatMap(named.quoted) ?? named
        let manifest = try self.manifest(document, format, options)
        let header = manifest.extraColumns
        let columns = Columns(manifest, options, &content)
        content.hasLabels = columns.labelName != nil
        content.labelColumn = columns.labelName
        content.hasAnnotators = columns.annotator != nil
        let list = options.labelColumn == nil ? manifest.labelsColumn : nil
        let read = [columns.low, columns.high, columns.label, columns.confidence, list]
        let others = header.indices.filter { !read.contains($0) }
        content.columns = others.map { header[$0] }
        let reader = try manifest.rows()
        while let clip = try reader.next() {
            guard let segment = clip.segment else {
                content.rowsWithoutTimes += 1
                continue
            }
            let (line, known) = (reader.origin.line, content.problemCount)
            func number(_ column: Int?, in range: ClosedRange<Double> = -.infinity...(.infinity)) -> Double? {
                guard let column else { return nil }
                return content.number(clip.extra[column], column: header[column], in: range, line: line)
            }
            func text(_ column: Int) -> String? { clip.extra[column].isEmpty ? nil : clip.extra[column] }
            var labels = content.labels(
                columns.label.map(text) ?? (clip.label.isEmpty ? nil : clip.label),
                column: columns.label.map { header[$0] } ?? ManifestColumn.label.name, line: line)
            if list != nil {
                for name in try manifest.labelNames(of: clip) where !labels.contains(name) && name != clip.label {
                    labels.append(name)
                }
            }
            guard content.problemCount == known else {
                content.add(unread: UnreadRow(recording: clip.path, times: AnnotationTimes(segment)))
                continue
            }
            let frequencies = 0...Double.infinity
            content.add(
                AnnotationRow(
                    line: line, recording: clip.path,
                    times: AnnotationTimes(segment), channel: options.usesChannels ? clip.channel : nil,
                    low: number(columns.low, in: frequencies).map { $0 * columns.lowScale },
                    high: number(columns.high, in: frequencies).map { $0 * columns.highScale },
                    labels: labels, confidence: number(columns.confidence), origin: columns.annotator.flatMap(text),
                    extra: others.map { clip.extra[$0] }))
        }
    }
}
