import FeatureModel

/// A table, or another file that may say something of recordings, and that no reader has claimed.
package struct UnclaimedFile: Hashable, Sendable {
    /// Its path, as messages call it.
    package let path: String
    let kind: Remark.Kind
    /// What the account calls the folder.
    let source: String
}

extension Account {
    /// Takes note of files that nothing claimed.
    package mutating func add(_ files: some Sequence<UnclaimedFile>) {
        for (position, file) in files.enumerated() {
            add(file.kind, source: file.source, at: position, quoted(file.path))
        }
    }
}
