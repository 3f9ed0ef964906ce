import FeatureModel

/// Which columns of a dataset are read as which of a manifest's.
package struct ColumnMap: Sendable {
    private let entries: [(column: ManifestColumn, name: String)]
    /// Names seen in rows, in order.
    private var names = NameTable()

    /// No columns are renamed.
    package init() { entries = [] }

    /// - Parameter entries: Names of the dataset's columns, by the manifest's; each at most once.
    package init(_ entries: [(column: ManifestColumn, name: String)]) { self.entries = entries }

    package var isEmpty: Bool { entries.isEmpty }

    /// The values under the names of the manifest. A value whose name another column takes is left out.
    mutating func renamed(_ values: [(name: String, value: String)]) -> [(name: String, value: String)] {
        guard !entries.isEmpty else { return values }
        var renamed: [(name: String, value: String)] = []
        for (name, value) in values {
            _ = names.insert(name)
            if let entry = entries.first(where: { $0.name == name }) {
                renamed.append((entry.column.name, value))
            } else if !entries.contains(where: { $0.column.name == name }) {
                renamed.append((isSetAside(name) ? "original_" + name : name, value))
            }
        }
        return renamed
    }

    /// Whether a column says where a clip ends, as another one does that was named.
    private func isSetAside(_ name: String) -> Bool {
        let ends: [ManifestColumn] = [.end, .duration]
        return ends.contains { $0.name == name } && entries.contains { ends.contains($0.column) && $0.name != name }
    }

    /// The names of all rows so far.
    var found: [String] { (0..<names.count).map { names[$0] } }

    /// A column that no row had.
    var missing: (column: ManifestColumn, name: String)? {
        guard names.count > 0 else { return nil }
        let found = Set(found.map { Array($0.utf8) })
        return entries.first { !found.contains(Array($0.name.utf8)) }
    }

    /// Takes note of the columns that lost their name to another.
    func report(to account: inout Account, source: String) {
        let found = found
        for name in found where isSetAside(name) && !entries.contains(where: { $0.name == name }) {
            account.add(
                .columnsChosen, source: source, at: ManifestColumn.end.rawValue,
                "what --column names as the end of clips, and not \(quoted(name)), which is kept as 'original_\(name)'")
        }
        for entry in entries
        where entry.name != entry.column.name && found.contains(entry.column.name)
            && !isSetAside(entry.column.name) && !entries.contains(where: { $0.name == entry.column.name })
        {
            account.add(
                .columnsChosen, source: source, at: entry.column.rawValue,
                "\(quoted(entry.name)), by --column, and not \(quoted(entry.column.name))")
        }
    }
}
