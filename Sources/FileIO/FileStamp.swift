import Platform

/// Size and time of change of a file: where both are the same as before, so is what the file holds.
package struct FileStamp: Hashable, Sendable {
    /// Length in bytes; −1: there was no such file.
    package let byteCount: Int64
    /// Time of the last change in nanoseconds since 1970.
    package let modified: Int64

    /// There is no such file.
    package static let absent = FileStamp(byteCount: -1, modified: 0)

    /// Keeps the values.
    package init(byteCount: Int64, modified: Int64) {
        self.byteCount = byteCount
        self.modified = modified
    }

    /// That of the file now; `absent` where the file system says nothing of it.
    package init(path: String) { self = FileStatus(path: path)?.stamp ?? .absent }
}

/// Which file it is, by whatever name.
package struct FileIdentity: Hashable, Sendable {
    /// The device that holds it.
    package let device: UInt64
    /// Its number on that device.
    package let inode: UInt64
}

/// What the file system says of a file: two that are equal are of one file that has not changed between them.
package struct FileStatus: Hashable, Sendable {
    /// What a file is.
    package enum Kind: Sendable {
        case regular, folder, symbolicLink, pipe, socket, characterDevice, blockDevice, other
    }

    /// Which file it is.
    package let identity: FileIdentity
    /// Its size and time of change.
    package let stamp: FileStamp
    /// What it is.
    package let kind: Kind

    /// Length in bytes.
    package var byteCount: Int { Int(stamp.byteCount) }
    /// Whether it is a regular file.
    package var isRegular: Bool { kind == .regular }
    /// Whether it is a folder.
    package var isFolder: Bool { kind == .folder }

    /// That of the file now; nil where the file system says nothing of it, and `errno` says why.
    ///
    /// - Parameter followingLink: Whether a symbolic link stands for the file that it leads to.
    package init?(path: String, followingLink: Bool = true) {
        var status = stat()
        guard (followingLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// That of an open file now.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
        stamp = FileStamp(
            byteCount: Int64(status.st_size),
            modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            case S_IFBLK: .blockDevice
            default: .other
            }
    }
}
