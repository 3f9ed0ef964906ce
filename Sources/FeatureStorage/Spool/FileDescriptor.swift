#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, closed when the value goes. Reads and writes are complete or throw.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32
    let path: String

    /// Opens a file.
    ///
    /// - Throws: `StorageError.system`.
    init(path: String, flags: Int32, operation: String) throws(StorageError) {
        let opened = open(path, flags | O_CLOEXEC, 0o666)
        guard opened >= 0 else { throw .system(operation: operation, path: path, code: errno) }
        number = opened
        self.path = path
    }

    /// Takes over a file that is open already.
    init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// Length in bytes of a regular file; nil where it is something else, such as a folder or a pipe.
    var regularSize: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Whether the file still has a name in some folder.
    var hasName: Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_nlink > 0
    }

    /// Whether another program holds a lock on the file as HDF5 does while it writes.
    var isLocked: Bool {
        guard flock(number, LOCK_SH | LOCK_NB) != 0 else {
            flock(number, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// Writes all bytes at `offset`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let written = pwrite(number, rest.baseAddress, rest.count, off_t(offset + done))
            if written < 0 {
                if errno == EINTR { continue }
                throw .system(operation: "writing", path: path, code: errno)
            }
            done += written
        }
    }

    /// Fills as much of `bytes` as there is from `offset` on; returns how much.
    ///
    /// - Throws: `StorageError.system`.
    func readSome(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int {
        while true {
            let count = pread(number, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .system(operation: "reading", path: path, code: errno) }
        }
    }

    /// Fills all of `bytes` from `offset` on.
    ///
    /// - Throws: `StorageError.system`, or `.damaged` where the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = pread(number, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(operation: "reading", path: path, code: errno)
            }
            guard count > 0 else { throw .damaged(path: path, found: "it ends at byte \(offset + done)") }
            done += count
        }
    }

    /// Cuts the file off behind its first `byteCount` bytes.
    func truncate(to byteCount: Int) throws(StorageError) {
        guard ftruncate(number, off_t(byteCount)) == 0 else {
            throw .system(operation: "cutting off the file", path: path, code: errno)
        }
    }

    /// Waits until everything written is on the disk.
    func synchronize() throws(StorageError) {
        guard fsync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
    }

    /// The folder that a path's last part lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Waits until the names in a folder are on the disk, where the file system can do that: some of the network cannot,
    /// which is no reason to fail.
    static func synchronizeFolder(_ path: String) {
        if let folder = try? FileDescriptor(path: path, flags: O_RDONLY, operation: "opening the folder") {
            _ = fsync(folder.number)
        }
    }

    /// Waits until everything written, and what is needed to find it again, is on the disk.
    func synchronizeData() throws(StorageError) {
        #if canImport(Darwin)
            try synchronize()
        #else
            guard fdatasync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
        #endif
    }
}
