import Platform

/// Programs in the folders of PATH.
package enum InstalledProgram {
    /// The path of a program; nil: it is in no folder.
    package static func path(_ name: String) -> String? {
        path(name, in: folders(getenv("PATH").map { String(cString: $0) } ?? ""))
    }

    /// The folders of a PATH. Relative ones are passed over: they depend on the current one.
    static func folders(_ path: String) -> [String] {
        path.split(separator: ":").map(String.init).filter { $0.utf8.first == UInt8(ascii: "/") }
    }

    static func path(_ name: String, in folders: [String]) -> String? {
        folders.lazy.map { "\($0)/\(name)" }.first { path in
            FileStatus(path: path)?.isRegular == true && access(path, X_OK) == 0
        }
    }
}
