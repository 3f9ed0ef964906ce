import FeatureModel

/// A table, or another file that may say something of recordings, and that no reader has claimed.
package struct UnclaimedFile: Hashable, Sendable {
    /// Its path, as messages call it.
    package let path: String
    /// Why it is not read; empty: nothing is known of that.
    package var reason: Note = ""
    let kind: Remark.Kind
    /// What the account calls the folder.
    let source: String

    /// A file that may say something of the recordings of a dataset.
    package static func metadata(_ path: String, source: String) -> Self {
        Self(path: path, kind: .metadataUnread, source: source)
    }

    /// Whether it is a table, and not a file that may say something of one recording.
    package var isTable: Bool { kind == .tablesUnclaimed }
}

extension Account {
    /// Takes note of files that nothing claimed.
    package mutating func add(_ files: some Sequence<UnclaimedFile>) {
        for (position, file) in files.enumerated() {
            let reason: Note = file.reason.isEmpty ? "" : " (\(file.reason))"
            add(file.kind, source: file.source, at: position, note: "\(quoted(file.path))\(reason)")
        }
    }
}
