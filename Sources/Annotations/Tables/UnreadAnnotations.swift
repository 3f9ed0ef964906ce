import FeatureModel
import Manifests

extension AnnotationTable {
    /// Why a table is not read as annotations; nil: the file is not a table, or has the columns of annotations.
    package static func missingColumns(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Note? {
        guard let table = DelimitedTable(document, options), table.header.count > 1 else { return nil }
        if let (setting, name) = options.namedColumns.first(where: { table.column($0.name) == nil }) {
            return "it has no column \(quoted(name)), which \(setting: setting) names"
        }
        let names = table.header.map { UnitName($0) }
        func has(_ usual: [String]) -> Bool { names.contains { $0.isOne(of: usual) } }
        let hasStart = options.startColumn != nil || has(TimeNames.starts)
        let hasEnd =
            options.endColumn != nil || options.durationColumn != nil || has(TimeNames.ends + TimeNames.durations)
        return switch (hasStart, hasEnd) {
        case (true, true): nil
        case (true, false):
            "no column of ends or lengths is known in it: \(setting: .endColumn) or \(setting: .durationColumn) names one"
        case (false, true): "no column of starts is known in it: \(setting: .startColumn) names one"
        case (false, false):
            "no columns of starts and ends are known in it: \(setting: .startColumn) and \(setting: .endColumn) name them"
        }
    }

    /// The option for the column of times that is missing where a table has the one that another option names; nil: both are
    /// there, or neither.
    package static func missingTimes(_ path: String, _ options: AnnotationOptions) -> Note? {
        guard let document = AnnotationDocument(startOf: path), let table = DelimitedTable(document, options) else {
            return nil
        }
        let given = options.namedColumns.filter { ![.labelColumn, .pathColumn].contains($0.setting) }
        guard given.contains(where: { table.column($0.name) != nil }) else { return nil }
        return missingColumns(document, options).map { "\($0); \(table.columnList)" }
    }
}
