import Annotations
import Manifests

/// Tables in the form of a manifest whose rows are clips already: each is a part of a recording with a label, as an annotation is.
enum MarkedParts {
    /// Whether a file is such a table, by its header or first row. Parts without a label are recordings, of which the annotations in
    /// other files are taken; so are those with a split, which annotations do not have.
    static func isTable(_ path: String, _ options: AnnotationOptions) -> Bool {
        guard ManifestFormat(path: path) != nil, let columns = try? ManifestStart(ManifestInput(path: path)).columns
        else {
            return false
        }
        let known = Set(columns.compactMap(ManifestColumn.init(spelled:)))
        guard known.contains(.start), known.contains(.end) || known.contains(.duration), !known.contains(.split) else {
            return false
        }
        let names = columns.map { UnitName($0) }
        return known.contains(.label) || options.label != nil || options.labelColumn != nil
            || names.contains { $0.isOne(of: ColumnNames.labels) }
    }
}
