import Manifests

extension AnnotationContent {
    /// The labels in a row's field, each once: those of a list in JSON or as Python prints one, and in a column `labels` also names
    /// between `|`, as in a manifest. A text that looks like a list but is not one is a problem.
    ///
    /// - Parameter column: The column's name.
    mutating func labels(_ field: String?, column: String, line: Int) -> [String] {
        guard let field else { return [] }
        do throws(LabelList.Failure) {
            let isList = try LabelList.elements(field.utf8) != nil
            return isList || UnitName(column).isWhollyOne(of: [LabelList.column])
                ? try LabelList.names(field.utf8) : [field]
        } catch {
            add(problem: "the column \(quoted(column)): \(error.text)", line: line)
            return []
        }
    }
}
