/// Which recordings are taken, by patterns as a shell has them: `*`, `?`, `[a-z]`.
package struct RecordingNamePatterns: Hashable, Sendable {
    /// One of these has to match; none: all recordings are taken.
    package let included: [String]
    /// None of these may match.
    package let excluded: [String]

    /// A pattern without a slash is compared with names, of folders, too, if it excludes; one with a slash with the whole path
    /// below the folder, where `*` matches slashes.
    package init(included: [String] = [], excluded: [String] = []) {
        (self.included, self.excluded) = (included, excluded)
    }

    /// Whether a recording is taken.
    ///
    /// - Parameter archive: The path of the archive that holds it, whose name may be excluded; nil: none does.
    package func takes(_ path: String, in archive: String? = nil) -> Bool {
        let names =
            path.split(separator: "/").map(String.init) + (archive?.split(separator: "/").map(String.init) ?? [])
        let name = path.split(separator: "/").suffix(1).map(String.init)
        func matches(_ pattern: String, _ names: some Sequence<String>) -> Bool {
            let isOfPath = pattern.contains("/")
            let pattern = NamePattern(pattern)
            return isOfPath ? pattern.matches(path) : names.contains(where: pattern.matches)
        }
        return (included.isEmpty || included.contains { matches($0, name) })
            && !excluded.contains { matches($0, names) }
    }
}
