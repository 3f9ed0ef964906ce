import Platform

/// Which recordings are taken, by patterns as a shell has them: `*`, `?`, `[a-z]`.
package struct RecordingNamePatterns: Hashable, Sendable {
    /// One of these has to match; none: all recordings are taken.
    package let included: [String]
    /// None of these may match.
    package let excluded: [String]

    /// A pattern without a slash is compared with names, of folders, too, if it excludes; one with a slash with the whole path below the
    /// folder, where `*` matches slashes.
    package init(included: [String] = [], excluded: [String] = []) {
        (self.included, self.excluded) = (included, excluded)
    }

    /// Whether a recording is taken.
    package func takes(_ path: String) -> Bool {
        let names = path.split(separator: "/").map(String.init)
        func matches(_ pattern: String, _ names: some Sequence<String>) -> Bool {
            pattern.contains("/") ? fnmatch(pattern, path, 0) == 0 : names.contains { fnmatch(pattern, $0, 0) == 0 }
        }
        return (included.isEmpty || included.contains { matches($0, names.suffix(1)) })
            && !excluded.contains { matches($0, names) }
    }
}
