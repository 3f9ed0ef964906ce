import Platform

/// A folder as another sees it: `../audio`.
package enum RelativeFolder {
    /// The way from one folder to another, without links and with `/` between names; `.` where they are one; nil: one does not exist.
    ///
    /// The way goes up to the last folder that both are in, so it has the names of folders from there alone.
    package static func path(to target: String, from folder: String) -> String? {
        guard let target = resolved(target), let folder = resolved(folder) else { return nil }
        let (to, from) = (names(target), names(folder))
        let common = zip(to, from).prefix { $0 == $1 }.count
        let path = Array(repeating: "..", count: from.count - common) + to.dropFirst(common).map(String.init)
        return path.isEmpty ? "." : path.joined(separator: "/")
    }

    private static func names(_ path: String) -> [Substring] { path.split(separator: "/") }

    /// The path from the file system's root on, without links; nil: there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
