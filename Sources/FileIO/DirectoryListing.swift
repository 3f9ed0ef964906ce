import Platform

/// A folder of the file system.
package enum Folder {
    /// The folder that holds the last part of a path.
    package static func containing(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits until the names in a folder are on the disk, where the file system can do that: some network file systems
    /// cannot, which is no reason to fail.
    package static func synchronize(_ path: String) {
        let folder = open(path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        close(folder)
    }
}

/// The names in a folder, in the order of the file system, without `.` and `..`.
package struct DirectoryListing: ~Copyable {
    /// A name in the folder.
    package struct Name {
        /// The name; where it is not valid UTF-8, with U+FFFD in place of what is not.
        package let text: String
        /// Whether the name is valid UTF-8, so that `text` opens it.
        package let isValid: Bool
    }

    private let handle: FolderHandle

    /// Opens a folder.
    ///
    /// - Throws: `SystemError`.
    package init(_ path: String) throws(SystemError) {
        guard let handle = opendir(path) else { throw .last }
        self.handle = handle
    }

    deinit { closedir(handle) }

    /// The next name; nil: there are no more.
    ///
    /// - Throws: `SystemError` where the folder cannot be read to its end.
    package mutating func next() throws(SystemError) -> Name? {
        while true {
            errno = 0
            guard let entry = readdir(handle) else {
                if errno != 0 { throw .last }
                return nil
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { text in
                    Name(text: String(cString: text), isValid: String(validatingCString: text) != nil)
                }
            }
            if name.text != ".", name.text != ".." { return name }
        }
    }

    /// All names in a folder.
    ///
    /// - Throws: `SystemError`.
    package static func names(in path: String) throws(SystemError) -> [String] {
        var listing = try DirectoryListing(path)
        var names: [String] = []
        while let name = try listing.next() { names.append(name.text) }
        return names
    }
}

#if canImport(Darwin)
    private typealias FolderHandle = UnsafeMutablePointer<DIR>
#else
    private typealias FolderHandle = OpaquePointer
#endif
