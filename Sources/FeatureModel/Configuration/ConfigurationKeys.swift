package struct KeyDescription: Hashable, Sendable, Encodable {
    package internal(set) var name: String
    /// What the key is for, in a sentence.
    package let sentence: String
    /// The unit of its numbers; empty: none.
    package let unit: String
    package let allowed: String
    package let form: ValueForm
    /// The default; nil: the key must be given.
    package internal(set) var standard: ConfigurationValue?
    /// Whether it is written even if it has its default. A key that is added after a release is not: so configurations, and the
    /// feature files that store them, are unchanged, and clips that an older version has finished can still be used.
    package let isAlwaysWritten: Bool
}

package struct SectionDescription: Sendable, Encodable {
    /// The keys of some kinds.
    package struct Variant: Sendable, Encodable {
        /// The values of the key `kind`; empty: the section has no kinds.
        package let kinds: [String]
        /// The name in the schema.
        package let definition: String
        /// The kinds in a sentence.
        package let sentence: String
        /// The keys, `kind` first.
        package let keys: [KeyDescription]
    }

    /// The keys that lead to the section, such as `frame` or `condition.dct_filter`.
    package let path: String
    /// What the section is for, in a sentence.
    package let sentence: String
    /// Whether the name of a kind without keys of its own may be given instead of the whole section.
    package let isShort: Bool
    package let variants: [Variant]

    /// The last of the keys that lead to it.
    package var name: String { String(path.split(separator: ".").last ?? "") }

    /// Whether it is a section of the configuration itself, not of another section.
    package var isTop: Bool { name == path }

    package var kinds: [String] { variants.flatMap(\.kinds) }

    /// Every key once, in order, with the kinds that have it; empty: all kinds.
    package var rows: [(key: KeyDescription, kinds: [String])] {
        var keys: [KeyDescription] = []
        for key in variants.flatMap(\.keys) where !keys.contains(key) { keys.append(key) }
        return keys.map { key in
            let owners = variants.filter { $0.keys.contains(key) }
            return (key, owners.count == variants.count ? [] : owners.flatMap(\.kinds))
        }
    }

    /// Whether a kind has a key of this name.
    fileprivate func has(_ name: String) -> Bool { variants.contains { $0.keys.contains { $0.name == name } } }
}

/// All keys of a configuration, from the tables of its sections.
package enum ConfigurationKeys {
    /// The tables, in the order in which the steps act; a section within another follows that.
    package static let sections: [SectionDescription] = [
        AudioConfiguration.table.description, ConditionConfiguration.table.description,
        GainConfiguration.table.description, DCTFilterConfiguration.table.description,
        FrameConfiguration.table.description,
        WindowFunction.table.description, TransformConfiguration.table.description,
        ScaleConfiguration.table.description, NormalizeConfiguration.table.description,
        RowsConfiguration.table.description, PatchesConfiguration.table.description,
        StoreConfiguration.table.description,
    ]

    /// The paths of the sections of the configuration itself. Every configuration that is read needs them, descriptions only an
    /// error.
    static let topPaths = [
        AudioConfiguration.table.path, ConditionConfiguration.table.path, FrameConfiguration.table.path,
        TransformConfiguration.table.path, ScaleConfiguration.table.path, NormalizeConfiguration.table.path,
        RowsConfiguration.table.path, PatchesConfiguration.table.path, StoreConfiguration.table.path,
    ]
    private static let top = sections.filter(\.isTop)

    /// The keys of a kind of scale; empty for an unknown kind.
    package static func keys(ofScale kind: String) -> [String] {
        ScaleConfiguration.table.variant(of: kind)?.names ?? []
    }

    /// The defaults of a key, given by its full path: one, unless kinds have different ones.
    package static func defaults(of path: String) -> [ConfigurationValue] {
        sections.filter { path.hasPrefix("\($0.path).") }.flatMap { section in
            section.rows.filter { "\(section.path).\($0.key.name)" == path }.compactMap(\.key.standard)
        }
    }

    /// The error for an unknown key: its name here, the section that has it, or a similar key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - path: The section; empty: the top.
    ///   - known: The keys that the section has.
    static func unknown(_ key: String, in path: String, known: [String]) -> ConfigurationError {
        func full(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        if let (ours, note) = ForeignName.key(key) { return .foreignKey(key: full(key), ours: ours, note: note) }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if path.isEmpty, parts.count == 2, top.contains(where: { $0.path == parts[0] && $0.has(parts[1]) }) {
            return .foreignKey(key: key, ours: ["\(parts[0]): {\(parts[1]): …}"], note: "")
        }
        // A key of another section, or a value such as that of transform.kind=mfcc.
        let values = (top + sections.filter { !$0.isTop }).filter { $0.kinds.contains(key) }
            .map { "\($0.path)\($0.isShort ? "" : ".kind")=\(key)" }
        let elsewhere = paths(of: key) + values
        guard elsewhere.isEmpty else { return .foreignKey(key: full(key), ours: elsewhere, note: "") }
        let all = top.flatMap(\.variants).flatMap(\.keys).map(\.name)
        let nearest = nearestName(to: key, in: known).map(full)
        return .unknownKey(
            key: full(key), nearest: nearest ?? nearestName(to: key, in: all, share: 4).flatMap { paths(of: $0).first },
            known: known)
    }

    /// The full paths of the keys that are probably meant by a word that is not a key, such as `sample-rate` or `n-mels`; empty:
    /// none.
    package static func paths(meant word: String) -> [String] {
        let name = word.replacing("-", with: "_")
        let found = top.flatMap { section in section.rows.map { "\(section.path).\($0.key.name)" } }
            .filter { $0 == name || $0.hasSuffix(".\(name)") }
        return found.isEmpty ? ForeignName.key(name)?.ours ?? [] : found
    }

    /// The full paths of the keys of this name.
    private static func paths(of key: String) -> [String] {
        top.filter { $0.has(key) }.map { "\($0.path).\(key)" }
    }

    /// An unknown name for an error message, with the one of `names` that is likely meant.
    static func found(_ name: String, among names: [String]) -> String {
        let quoted = "'\(name.excerpt)'"
        if let ours = ForeignName.value(name, among: names) { return "\(quoted), which is \(ours) here" }
        return quoted + (nearestName(to: name, in: names).map { " (did you mean '\($0)'?)" } ?? "")
    }
}

/// The name in `names` that `typed` probably means: that of the smallest edit distance, if this is at most the
/// length of `typed` divided by `share`. Case is ignored.
///
/// Cost: O(length²) for every name; a text of more than 100 bytes matches none.
public func nearestName(to typed: String, in names: [String], share: Int = 2) -> String? {
    guard typed.utf8.count <= 100 else { return nil }
    let scored = names.map { (name: $0, distance: editDistance(typed.lowercased(), $0.lowercased())) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, typed.count / share) ? best.name : nil
}

/// The smallest number of insertions, deletions, replacements and exchanges of neighbours that turn `source` into `target`.
package func editDistance(_ source: String, _ target: String) -> Int {
    let (source, target) = (Array(source), Array(target))
    var (beforePrevious, previous): ([Int], [Int]) = ([], Array(0...target.count))
    for row in source.indices {
        var current = [row + 1]
        for column in target.indices {
            let replaced = previous[column] + (source[row] == target[column] ? 0 : 1)
            var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[target.count]
}
