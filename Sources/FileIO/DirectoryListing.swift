import Platform

package enum Folder {
    package static func containing(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits until the names in a folder are on the disk. Some file systems cannot do that, and some folders can be written but not
    /// read, which is not a failure.
    ///
    /// - Throws: `SystemError` for a fault of the disk, which may have lost the names.
    package static func synchronize(_ path: String) throws(SystemError) {
        let folder = open(path, O_RDONLY | O_CLOEXEC)
        let isDone = folder >= 0 && fsync(folder) == 0
        let error = SystemError.last
        if folder >= 0 { close(folder) }
        if !isDone, error.isFault { throw error }
    }

    /// Makes a folder, and those above it that are missing; none where there is one.
    package static func make(_ path: String) throws(SystemError) {
        if mkdir(path, 0o777) == 0 { return }
        var error = SystemError.last
        if error.code == ENOENT, case let parent = containing(path), parent != path, parent != "." {
            try make(parent)
            if mkdir(path, 0o777) == 0 { return }
            error = .last
        }
        guard FileStatus(path: path)?.isFolder == true else { throw error }
    }
}

/// The names in a folder, in the order of the file system, without `.` and `..`.
package struct DirectoryListing: ~Copyable {
    package struct Name {
        /// The name, with U+FFFD in place of invalid UTF-8.
        package let text: String
        /// Whether the name is valid UTF-8, so that `text` can be opened.
        package let isValid: Bool
    }

    private let handle: FolderHandle

    /// Opens a folder.
    package init(_ path: String) throws(SystemError) {
        guard let handle = opendir(path) else { throw .last }
        self.handle = handle
    }

    deinit { closedir(handle) }

    /// The next name; nil at the end.
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
    package static func names(in path: String) throws(SystemError) -> [String] {
        var listing = try DirectoryListing(path)
        var names: [String] = []
        while let name = try listing.next() { names.append(name.text) }
        return names
    }

    /// All names in a folder; none where there is no such folder.
    ///
    /// - Throws: `SystemError` where it cannot be read: names that a failing disk or missing rights hide are not missing.
    package static func foundNames(in path: String) throws(SystemError) -> [String] {
        do throws(SystemError) { return try names(in: path) } catch {
            if error.isAbsence { return [] }
            throw error
        }
    }
}

#if canImport(Darwin)
    private typealias FolderHandle = UnsafeMutablePointer<DIR>
#else
    private typealias FolderHandle = OpaquePointer
#endif
