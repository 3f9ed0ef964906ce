import Platform

/// A folder as another sees it: `../audio`.
package enum RelativeFolder {
    /// The way from one folder to another, without links and with `/` between names; `.` where they are one; nil: the way has a name
    /// that is not UTF-8.
    ///
    /// The way goes up to the last folder that both are in, so it has the names of folders from there alone. A folder that does not
    /// exist, such as that of a disk that is not mounted, or one that is still to be made, is where its path would lead.
    package static func path(to target: String, from folder: String) -> String? {
        guard let target = resolvedAsFar(target), let folder = resolvedAsFar(folder) else { return nil }
        let (to, from) = (names(target), names(folder))
        let common = zip(to, from).prefix { $0 == $1 }.count
        let path = Array(repeating: Array("..".utf8)[...], count: from.count - common) + to.dropFirst(common)
        return path.isEmpty ? "." : String(validating: path.joined(separator: "/".utf8), as: UTF8.self)
    }

    /// Whether the system says where a folder is, or would be; it does not of a relative path in a folder that was deleted.
    package static func isKnown(_ folder: String) -> Bool { resolvedAsFar(folder) != nil }

    private static func names(_ path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }

    /// The path from the file system's root on, without links as far as its folders exist.
    private static func resolvedAsFar(_ path: String) -> [UInt8]? {
        if let found = bytes(path) { return found }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let last = parts.last, last != "..", last != "." else { return nil }
        let above = parts.dropLast().joined(separator: "/")
        return resolvedAsFar(path.hasPrefix("/") ? "/" + above : above).map { $0 + Array("/".utf8) + Array(last.utf8) }
    }

    /// A file with the name of the folder that it is in: `tiny/preprocessor_config.json`. Files of models all have the same names.
    package static func named(_ path: String) -> String {
        let folder = resolved(Folder.containing(path))?.split(separator: "/").last
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return folder.map { "\($0)/\(name)" } ?? name
    }

    /// The path from the file system's root on, without links; nil: there is nothing.
    package static func resolved(_ path: String) -> String? {
        bytes(path).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
}
