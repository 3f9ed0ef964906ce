import FeatureModel
import Platform

/// How the columns of a dataset are read: as which of a manifest's, and what their values mean.
package struct ColumnMap: Sendable {
    /// A column that another one is read as.
    package enum Target: Hashable, Sendable {
        case known(ManifestColumn)
        /// All labels of a clip (`LabelList`).
        case labels

        package var name: String {
            switch self {
            case .known(let column): column.name
            case .labels: LabelList.column
            }
        }

        /// By its name, in any case.
        package init?(name: some StringProtocol) {
            let name = name.lowercased()
            if name == LabelList.column {
                self = .labels
            } else if let column = ManifestColumn(name: name) {
                self = .known(column)
            } else {
                return nil
            }
        }
    }

    package typealias Entry = (target: Target, name: String)

    private let entries: [Entry]
    /// What separates names in `labels`; nil: `|`.
    private let labelSeparator: String?
    /// Patterns of the names of columns that say of one label whether a clip has it.
    private let oneHot: [String]
    /// What is added to paths without the extension of a recording, with its dot; nil: nothing.
    private let ending: String?
    /// What is put before relative paths; nil: the dataset's paths are not those of a table in a folder.
    var pathFolder: String?

    /// What becomes of a column.
    private enum Use: Sendable {
        case keep(as: [String])
        case path(as: [String])
        case labels
        /// Says whether the clip has a label.
        case label(String)
        case drop
    }

    /// Names of the last row, and what becomes of each: most rows have the same ones.
    private var lastNames: [String] = []
    private var uses: [Use] = []
    /// The name, of those of a manifest or the row, of the path in the last row; nil: it is read by its name, or there is none.
    private(set) var pathName: String?
    /// Names seen in rows, in order.
    private var names = NameTable()
    /// The entries and patterns that a row had a column for.
    private var (foundEntries, foundPatterns) = (Set<Int>(), Set<Int>())
    /// Columns that are not read as what they are named, since another one is.
    private var replaced: [(name: String, by: String)] = []

    /// Columns are read by their names.
    package init() { self.init([]) }

    /// - Parameters:
    ///   - entries: Names of the dataset's columns, by the manifest's; each target at most once. A name is matched exactly, or else
    ///     but for capitals and blanks at its ends, if one column alone matches.
    ///   - labelSeparator: What separates names in `labels`; nil: `|`. Blanks around names are removed.
    ///   - oneHot: Patterns as a shell has them. The label is what the `*` of a pattern stands for, or the name where there is not just
    ///     one `*`.
    ///   - recordingExtension: Of recordings whose paths have none, without its dot.
    package init(
        _ entries: [Entry], labelSeparator: String? = nil, oneHot: [String] = [], recordingExtension: String? = nil
    ) {
        (self.entries, self.labelSeparator, self.oneHot) = (entries, labelSeparator, oneHot)
        ending = recordingExtension.map { "." + $0 }
    }

    package var isEmpty: Bool {
        entries.isEmpty && labelSeparator == nil && oneHot.isEmpty && ending == nil && pathFolder == nil
    }

    /// Whether an entry is for a column of a manifest; labels are one for `label`, too.
    func isNamed(_ column: ManifestColumn) -> Bool {
        entries.contains { $0.target == .known(column) || $0.target == .labels && column == .label }
            || column == .label && !oneHot.isEmpty
    }

    /// Why a row cannot be read.
    struct Refusal: Error { let text: String }

    /// The values under the names of the manifest. A value whose name another column takes is left out.
    ///
    /// - Parameter isHeader: Whether names are those of a header, in which capitals and blanks do not count.
    mutating func renamed(
        _ values: [(name: String, value: String)], isHeader: Bool
    ) throws(Refusal) -> [(name: String, value: String)] {
        guard !isEmpty else { return values }
        if !values.lazy.map(\.name).elementsEqual(lastNames) { choose(values.map(\.name), isHeader) }
        var renamed: [(name: String, value: String)] = []
        var labels: [String] = []
        for ((name, value), use) in zip(values, uses) {
            switch use {
            case .keep(let names): for name in names { renamed.append((name, value)) }
            case .path(let names): for name in names { renamed.append((name, completed(value))) }
            case .labels: renamed.append((LabelList.column, separated(value)))
            case .label(let label): if try isSet(value, name) { labels.append(label) }
            case .drop: break
            }
        }
        if !oneHot.isEmpty { renamed.append((LabelList.column, Self.list(labels))) }
        return renamed
    }

    // MARK: - Names

    private mutating func choose(_ names: [String], _ isHeader: Bool) {
        lastNames = names
        for name in names { _ = self.names.insert(name) }
        let sources = entries.map { Self.index(of: $0.name, in: names) }
        for (entry, source) in sources.enumerated() where source != nil { foundEntries.insert(entry) }
        let free = names.indices.filter { !sources.contains($0) }.map { names[$0] }
        let isPathNamed = entries.contains { $0.target == .known(.path) }
        let path = isPathNamed ? nil : ColumnNames.path(among: free)
        uses = names.indices.map { index in
            let targets = entries.indices.filter { sources[$0] == index }.map { entries[$0].target }
            guard targets.isEmpty else { return use(targets) }
            return use(names[index], among: free, isHeader, isPath: names[index] == path)
        }
        pathName = nil
        for case .path(let names) in uses where pathName == nil { pathName = names.first }
    }

    /// What becomes of a column that `--column` names.
    private func use(_ targets: [Target]) -> Use {
        if targets == [.labels] { return .labels }
        let names = targets.map(\.name)
        return targets.contains(.known(.path)) ? .path(as: names) : .keep(as: names)
    }

    /// What becomes of another column.
    private mutating func use(_ name: String, among free: [String], _ isHeader: Bool, isPath: Bool) -> Use {
        if let pattern = oneHot.indices.first(where: { fnmatch(oneHot[$0].lowercased(), name.lowercased(), 0) == 0 }) {
            foundPatterns.insert(pattern)
            return .label(Self.label(name, oneHot[pattern]))
        }
        let column = isHeader ? ManifestColumn(name: name, among: free) : ManifestColumn(name: name)
        let known = column?.name ?? (isHeader && LabelList.isColumn(name, among: free) ? LabelList.column : name)
        if known == LabelList.column, !oneHot.isEmpty {
            return setAside(name, for: "the columns of --one-hot")
        }
        if let entry = entries.first(where: { $0.target.name == known }) {
            if column.map(Self.ends.contains) != true { note(name, entry.name) }
            return .drop
        }
        if let column, Self.ends.contains(column), let entry = entries.first(where: { Self.isEnd($0.target) }) {
            return setAside(name, for: quoted(entry.name) + ", by --column,")
        }
        if known == LabelList.column { return .labels }
        return isPath || column == .path ? .path(as: [known]) : .keep(as: [known])
    }

    /// Both say where a clip ends.
    private static let ends: [ManifestColumn] = [.end, .duration]

    private static func isEnd(_ target: Target) -> Bool { ends.contains { target == .known($0) } }

    private mutating func note(_ name: String, _ other: String) {
        replaced.append((name, "\(quoted(other)), by --column, and not \(quoted(name))"))
    }

    private mutating func setAside(_ name: String, for other: String) -> Use {
        replaced.append((name, "\(other) and not \(quoted(name)), which is kept as 'original_\(name)'"))
        return .keep(as: ["original_" + name])
    }

    /// The index of a column: that of this very name, or else the only one that has it but for capitals and blanks.
    private static func index(of name: String, in names: [String]) -> Int? {
        if let exact = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return exact }
        let plain = name.lowercased().trimmingBlanks()
        let similar = names.indices.filter { names[$0].lowercased().trimmingBlanks() == plain }
        return similar.count == 1 ? similar.first : nil
    }

    /// The label of a column of 0 and 1.
    private static func label(_ name: String, _ pattern: String) -> String {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2, !pattern.contains(where: { "?[\\".contains($0) }) else { return name }
        let label = name.dropFirst(parts[0].count).dropLast(parts[1].count)
        return label.isEmpty ? name : String(label)
    }

    // MARK: - Values

    private func isSet(_ value: String, _ name: String) throws(Refusal) -> Bool {
        switch value.trimmingBlanks().lowercased() {
        case "1", "1.0", "true": return true
        case "0", "0.0", "false", "": return false
        default: throw Refusal(text: "\(quoted(name)) is \(quoted(value)); --one-hot expects 0 or 1 in every row")
        }
    }

    private func separated(_ value: String) -> String {
        guard let labelSeparator, !LabelList.looksLikeList(value.utf8) else { return value }
        return Self.list(
            value.split(separator: labelSeparator).map { String($0).trimmingBlanks() }.filter { !$0.isEmpty })
    }

    /// Names as a list in JSON.
    private static func list(_ names: [String]) -> String { JSONValue.array(names.map(JSONValue.string)).text }

    /// The path in a value: an object of JSON may have it.
    package static func path(in value: String) -> String {
        guard value.hasPrefix("{"), let path = JSONValue(json: value.utf8)?.recordingPath else { return value }
        return path
    }

    private func completed(_ value: String) -> String {
        var path = Self.path(in: value)
        if let ending, !path.isEmpty, !RecordingName.isRecording(path) { path += ending }
        guard let pathFolder, !path.isEmpty, !path.hasPrefix("/") else { return path }
        return pathFolder.isEmpty ? path : pathFolder + WindowsPaths.slashed(path)
    }

    // MARK: - Results

    /// The names of all rows so far.
    var found: [String] { (0..<names.count).map { names[$0] } }

    /// A column that no row had, and as what it is to be read.
    var missing: (name: String, target: String)? {
        guard names.count > 0 else { return nil }
        if let entry = entries.indices.first(where: { !foundEntries.contains($0) }) {
            return (entries[entry].name, entries[entry].target.name)
        }
        return oneHot.indices.first { !foundPatterns.contains($0) }.map { (oneHot[$0], "a label") }
    }

    /// Takes note of the columns that lost their name to another.
    func report(to account: inout Account, source: String) {
        for (index, name) in found.enumerated() {
            guard let text = replaced.first(where: { $0.name == name })?.by else { continue }
            account.add(.columnsChosen, source: source, at: index, text)
        }
    }
}
