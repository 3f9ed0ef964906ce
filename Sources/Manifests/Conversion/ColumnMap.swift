import FeatureModel
import Platform

/// How the columns of a dataset are read: as which of a manifest's, and what their values mean.
package struct ColumnMap: Sendable {
    /// A column that another one is read as.
    package enum Target: Hashable, Sendable {
        case known(ManifestColumn)
        /// All labels of a clip (`LabelList`).
        case labels
        /// A column that means nothing here, and is kept under the name that exports look for.
        case speech(Speech)

        package enum Speech: String, CaseIterable, Sendable {
            case text, speaker, gender, language
        }

        package var name: String {
            switch self {
            case .known(let column): column.name
            case .labels: LabelList.column
            case .speech(let column): column.rawValue
            }
        }

        /// By its name, in any case.
        package init?(name: some StringProtocol) {
            let name = name.lowercased()
            if name == LabelList.column {
                self = .labels
            } else if let column = ManifestColumn(name: name) {
                self = .known(column)
            } else if let column = Speech(rawValue: name) {
                self = .speech(column)
            } else {
                return nil
            }
        }
    }

    package typealias Entry = (target: Target, name: String)
    package typealias Locating = @Sendable (String) throws(Refusal) -> String

    private let entries: [Entry]
    /// What separates names in `labels`; nil: `|`.
    private let labelSeparator: String?
    /// Patterns of the names of columns that say whether a clip has one label.
    private let oneHot: [String]
    /// What is added to paths without the extension of a recording, with its dot; nil: nothing.
    private let ending: String?
    /// Gives the path in the dataset's folder for a path with slashes in a table; nil: paths are not changed.
    var locating: Locating?

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
    /// Whether a row had a column of all labels.
    private var hasFoundLabels = false
    /// Whether a column that is read as `label` had lists, which became `labels`.
    private(set) var listsLabels = false
    /// Columns that are not read as what they are named, since another one is.
    private var replaced: [(name: String, by: Note)] = []

    /// Columns are read by their names.
    package init() { self.init([]) }

    /// - Parameters:
    ///   - entries: Names of the dataset's columns, by the manifest's; each target at most once. A name is matched exactly, or else
    ///     except for capitals and blanks at its ends, if one column alone matches.
    ///   - labelSeparator: What separates names in `labels`; nil: `|`. Blanks around names are removed.
    ///   - oneHot: Patterns as a shell has them. The label is what the `*` of a pattern stands for, or the name where there is not just
    ///     one `*`.
    ///   - recordingExtension: The extension of recordings whose paths have none, without its dot.
    package init(
        _ entries: [Entry], labelSeparator: String? = nil, oneHot: [String] = [], recordingExtension: String? = nil
    ) {
        (self.entries, self.labelSeparator, self.oneHot) = (entries, labelSeparator, oneHot)
        ending = recordingExtension.map { "." + $0 }
    }

    package var isEmpty: Bool {
        entries.isEmpty && labelSeparator == nil && oneHot.isEmpty && ending == nil && locating == nil
    }

    /// Whether an entry is for a column of a manifest; labels are one for `label`, too.
    package func isNamed(_ column: ManifestColumn) -> Bool {
        entries.contains { $0.target == .known(column) || $0.target == .labels && column == .label }
            || column == .label && !oneHot.isEmpty
    }

    /// Whether an option says which columns are all labels of a clip.
    var namesLabels: Bool { !oneHot.isEmpty || entries.contains { $0.target == .labels } }

    /// The column that a table's recordings are read of; nil: it has none.
    package func pathColumn(among names: [String]) -> String? {
        if let entry = entries.first(where: { $0.target == .known(.path) }) {
            return Self.index(of: entry.name, in: names).map { names[$0] }
        }
        let free = self.free(names)
        return free.first { ManifestColumn(spelled: $0) == .path } ?? ColumnNames.path(among: free)
    }

    /// The columns of a manifest, except for `labels`, that a table has.
    package func columns(among names: [String]) -> Set<ManifestColumn> {
        let named = entries.compactMap { entry -> ManifestColumn? in
            guard case .known(let column) = entry.target, Self.index(of: entry.name, in: names) != nil else {
                return nil
            }
            return column
        }
        return Set(named + free(names).compactMap(ManifestColumn.init(spelled:)))
    }

    /// The name that an option gives the column of recordings; nil: none does.
    package var namedPath: String? { entries.first { $0.target == .known(.path) }?.name }

    /// The names that no entry is for.
    private func free(_ names: [String]) -> [String] {
        let sources = entries.compactMap { Self.index(of: $0.name, in: names) }
        return names.indices.filter { !sources.contains($0) }.map { names[$0] }
    }

    /// Why a row cannot be read.
    package struct Refusal: Error {
        let text: Note

        package init(text: Note) { self.text = text }
    }

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
            case .path(let names):
                let path = try located(value)
                for name in names { renamed.append((name, path)) }
            case .labels: renamed.append((LabelList.column, separated(value)))
            case .label(let label): if try isSet(value, name) { labels.append(label) }
            case .drop: break
            }
        }
        if !oneHot.isEmpty { renamed.append((LabelList.column, Self.list(labels))) }
        if entries.contains(where: { $0.target == .known(.label) }) { try takeListedLabels(&renamed) }
        return renamed
    }

    /// Reads a list in a column that an option calls the label as what it is: all labels of the clip.
    private mutating func takeListedLabels(_ values: inout [(name: String, value: String)]) throws(Refusal) {
        guard let index = values.firstIndex(where: { $0.name == ManifestColumn.label.name }),
            values[index].value.first == "["
        else { return }
        guard let found = ListText.names(values[index].value.utf8) else {
            guard JSONValue(json: Array(values[index].value.utf8)[...])?.elements == nil else {
                throw Refusal(text: "label is \(quoted(values[index].value)); expected a name, or a list of names")
            }
            return
        }
        var names: [String] = []
        for name in found where !name.isEmpty && !names.contains(name) { names.append(name) }
        guard names.count > 1 else { return values[index].value = names.first ?? "" }
        guard !values.contains(where: { $0.name == LabelList.column }) else {
            throw Refusal(
                text:
                    "label is \(quoted(values[index].value)), a list, and there are 'labels', too; give "
                    + "\(setting: .column(as: "labels"), "COLUMN") for the one column that has all labels of a clip")
        }
        values[index] = (LabelList.column, Self.list(names))
        listsLabels = true
    }

    // MARK: - Names

    private mutating func choose(_ names: [String], _ isHeader: Bool) {
        lastNames = names
        for name in names { _ = self.names.insert(name) }
        let sources = entries.map { Self.index(of: $0.name, in: names) }
        for (entry, source) in sources.enumerated() where source != nil { foundEntries.insert(entry) }
        let free = self.free(names)
        let isPathNamed = entries.contains { $0.target == .known(.path) }
        let path = isPathNamed ? nil : ColumnNames.path(among: free)
        uses = names.indices.map { index in
            let targets = entries.indices.filter { sources[$0] == index }.map { entries[$0].target }
            guard targets.isEmpty else { return use(targets) }
            return use(names[index], among: free, isHeader, isPath: names[index] == path)
        }
        if uses.contains(where: { if case .labels = $0 { true } else { false } }) { hasFoundLabels = true }
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
            return setAside(name, for: "the columns of \(setting: .oneHot)", among: free)
        }
        if let entry = entries.first(where: { $0.target.name == known }) {
            if column.map(Self.ends.contains) == true {
                return setAside(name, for: byOption(entry), among: free)
            }
            replaced.append((name, "\(byOption(entry)) and not \(quoted(name))"))
            return .drop
        }
        if let column, Self.ends.contains(column), let entry = entries.first(where: { Self.isEnd($0.target) }) {
            return setAside(name, for: byOption(entry), among: free)
        }
        if known == LabelList.column { return .labels }
        return isPath || column == .path ? .path(as: [known]) : .keep(as: [known])
    }

    /// Both say where a clip ends.
    private static let ends: [ManifestColumn] = [.end, .duration]

    private static func isEnd(_ target: Target) -> Bool { ends.contains { target == .known($0) } }

    private func byOption(_ entry: Entry) -> Note { "\(quoted(entry.name)), by \(setting: .column(as: nil))," }

    /// Keeps a column under a name that no other column has.
    private mutating func setAside(_ name: String, for other: Note, among names: [String]) -> Use {
        var kept = "original_" + name
        while names.contains(kept) { kept = "original_" + kept }
        replaced.append((name, "\(other) and not \(quoted(name)), which is kept as \(quoted(kept))"))
        return .keep(as: [kept])
    }

    /// The index of a column: that of this very name, or else the only one that has it except for capitals and blanks.
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
        default:
            throw Refusal(text: "\(quoted(name)) is \(quoted(value)); \(setting: .oneHot) expects 0 or 1 in every row")
        }
    }

    private func separated(_ value: String) -> String {
        guard let labelSeparator, !LabelList.looksLikeList(value.utf8) else { return value }
        return Self.list(
            value.split(separator: labelSeparator).map { String($0).trimmingBlanks() }.filter { !$0.isEmpty })
    }

    /// Names as a list in JSON.
    private static func list(_ names: [String]) -> String { JSONValue.array(names.map(JSONValue.string)).text }

    /// The path in a value of the column of recordings, with its extension.
    package func path(of value: String) -> String {
        let path = JSONValue.recordingPath(in: value)
        guard let ending, !path.isEmpty, !RecordingName.isRecording(path) else { return path }
        return path + ending
    }

    private func located(_ value: String) throws(Refusal) -> String {
        let path = path(of: value)
        guard let locating, !path.isEmpty else { return path }
        let plain = WindowsPaths.slashed(path)
        let found = try locating(plain)
        // A path with backslashes that leads to its recording is converted, and counted, where it is read.
        return found.utf8.elementsEqual(plain.utf8) ? path : found
    }

    // MARK: - Results

    /// The names of all rows so far.
    var found: [String] { (0..<names.count).map { names[$0] } }

    /// What an option names that no row had.
    enum Missing {
        /// A column, and as what it is to be read.
        case column(String, as: String)
        /// Any column that matches a pattern of `--one-hot`.
        case oneHot(String)
        /// The column that `--label-separator` is for.
        case labels
    }

    /// The first that is missing; nil: every option was for something.
    var missing: Missing? {
        guard names.count > 0 else { return nil }
        if let entry = entries.indices.first(where: { !foundEntries.contains($0) }) {
            return .column(entries[entry].name, as: entries[entry].target.name)
        }
        if let pattern = oneHot.indices.first(where: { !foundPatterns.contains($0) }) {
            return .oneHot(oneHot[pattern])
        }
        return labelSeparator != nil && !hasFoundLabels ? .labels : nil
    }

    /// Takes note of the columns that lost their name to another.
    func report(to account: inout Account, source: String) {
        for (index, name) in found.enumerated() {
            guard let text = replaced.first(where: { $0.name == name })?.by else { continue }
            account.add(.columnsChosen, source: source, at: index, note: text)
        }
    }
}
