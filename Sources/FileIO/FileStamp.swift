import Platform

/// Size and time of change of a file: equal stamps mean an unchanged file.
package struct FileStamp: Hashable, Sendable {
    /// Length in bytes; −1: no such file.
    package let byteCount: Int64
    /// Time of the last change in nanoseconds since 1970.
    package let modified: Int64

    /// No such file.
    package static let absent = FileStamp(byteCount: -1, modified: 0)

    package init(byteCount: Int64, modified: Int64) {
        self.byteCount = byteCount
        self.modified = modified
    }

    /// The stamp of a file now; `absent` where it cannot be looked up.
    package init(path: String) { self = FileStatus(path: path)?.stamp ?? .absent }
}

/// The identity of a file, whatever its name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// The status of a file: two are equal for the same, unchanged file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case regular, folder, symbolicLink, pipe, socket, characterDevice, blockDevice, other
    }

    package let identity: FileIdentity
    package let stamp: FileStamp
    package let kind: Kind

    /// Length in bytes.
    package var byteCount: Int { Int(stamp.byteCount) }
    package var isRegular: Bool { kind == .regular }
    package var isFolder: Bool { kind == .folder }

    /// The status of a file now; nil where it cannot be looked up, with the reason in `errno`.
    ///
    /// - Parameter followingLink: Whether the status of a symbolic link is that of its target.
    package init?(path: String, followingLink: Bool = true) {
        var status = stat()
        guard (followingLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

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
            byteCount: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
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

/// A symbolic link that leads to nothing.
package enum DeadLink: Sendable {
    /// What it leads to is missing.
    case missing(target: String)
    /// It leads to itself, perhaps by way of others.
    case cycle

    /// Nil: the path is not that of such a link.
    package init?(_ path: String) {
        guard FileStatus(path: path, followingLink: false)?.kind == .symbolicLink, FileStatus(path: path) == nil else {
            return nil
        }
        let error = SystemError.last
        guard error.code != ELOOP else {
            self = .cycle
            return
        }
        guard error.isAbsence else { return nil }
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        let target = bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        self = .missing(target: String(decoding: target, as: UTF8.self))
    }
}
