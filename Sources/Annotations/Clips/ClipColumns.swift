import FeatureModel
import Manifests

/// The columns of the manifest apart from those with a meaning.
struct ClipColumns {
    private(set) var names: [String] = []
    /// The column that holds JSON already.
    private(set) var jsonColumn: String?

    private let source: RecordingSource
    private let tables: [FoundTable]
    /// Whether there is a column of all labels of a clip.
    private(set) var hasLabels: Bool
    private let isWindowed: Bool
    private let format: ManifestFormat

    private static let (low, high) = (FeatureLimits.EdgeColumn.low.rawValue, FeatureLimits.EdgeColumn.high.rawValue)
    private static let confidence = "confidence"

    /// Indices of the source's columns that are kept.
    private var kept: [Int] = []
    /// For each table, the index among the annotations' columns of each of its own.
    private var slots: [[Int]] = []
    private var annotationColumns: [String] = []
    private var (hasFrequencies, hasConfidence) = (false, false)

    init(source: RecordingSource, tables: [FoundTable], isWindowed: Bool, format: ManifestFormat) {
        self.source = source
        self.tables = tables
        self.isWindowed = isWindowed
        self.format = format
        hasLabels = isWindowed && !tables.isEmpty
    }

    /// Labels that a list in CSV cannot hold.
    func separatorProblems(_ labels: [(label: String, path: String, line: Int)]) -> [SourceProblem] {
        guard format != .jsonLines else { return [] }
        return labels.filter { $0.label.contains(LabelList.separator) }.map {
            SourceProblem($0.path, line: $0.line, .inseparable(label: $0.label))
        }
    }

    /// Chooses the columns that the clips need.
    mutating func choose(for drafts: [ClipDraft]) {
        if drafts.contains(where: { $0.labels.count > 1 }) { hasLabels = true }
        hasFrequencies = drafts.contains { $0.row?.row.low != nil || $0.row?.row.high != nil }
        hasConfidence = drafts.contains { $0.row?.row.confidence != nil }
        var own: [String] = hasLabels ? [LabelList.column] : []
        if hasFrequencies { own += [Self.low, Self.high] }
        if hasConfidence { own.append(Self.confidence) }
        kept = source.extraColumns.indices.filter { !own.contains(source.extraColumns[$0]) }
        names = kept.map { source.extraColumns[$0] } + own
        jsonColumn = hasLabels && format == .jsonLines ? LabelList.column : nil
        guard !isWindowed else { return }
        let taken = Set(names.map { $0.lowercased() } + ManifestColumn.allCases.map(\.name))
        for table in tables {
            slots.append(
                table.table.content.columns.map { name in
                    let name = taken.contains(name.lowercased()) ? "annotation_" + name : name
                    if let known = annotationColumns.firstIndex(of: name) { return known }
                    annotationColumns.append(name)
                    return annotationColumns.count - 1
                })
        }
        names += annotationColumns
    }

    func values(of draft: ClipDraft) -> [String] {
        var values = kept.map { draft.clip.extra[$0] }
        if hasLabels { values.append(list(draft.labels)) }
        func number(_ value: Double?) -> String { value.map { Self.text($0) } ?? "" }
        if hasFrequencies { values += [number(draft.row?.row.low), number(draft.row?.row.high)] }
        if hasConfidence { values.append(number(draft.row?.row.confidence)) }
        guard let (table, row) = draft.row else { return values }
        var own = [String](repeating: "", count: annotationColumns.count)
        for (slot, value) in zip(slots[table], row.extra) { own[slot] = value }
        return values + own
    }

    private static func text(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private func list(_ labels: [String]) -> String {
        guard format == .jsonLines else { return labels.joined(separator: String(LabelList.separator)) }
        return "[" + labels.map(JSONText.quoted).joined(separator: ", ") + "]"
    }
}
