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

    deinit { close(number) }

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

    /// Waits until everything written is on the disk.
    func synchronize() throws(StorageError) {
        guard fsync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
    }
}
