import Platform

/// What an error has to be able to say of a file, so that its module throws its own errors from here.
package protocol FileFailure: Error {
    /// The operating system refused an operation; `code` is its `errno`.
    static func system(operation: String, path: String, code: Int32) -> Self
    /// The file does not hold what it has to.
    static func damaged(path: String, found: String) -> Self
}

/// An open file, closed when the value goes. Reads and writes are complete or throw.
package struct FileDescriptor<Failure: FileFailure>: ~Copyable, Sendable {
    /// Its number, open for as long as the value lives.
    package let number: Int32
    /// The path that it was opened by.
    package let path: String

    /// Opens a file.
    ///
    /// - Throws: `Failure.system`.
    package init(path: String, flags: Int32, operation: String) throws(Failure) {
        let opened = open(path, flags | O_CLOEXEC, 0o666)
        guard opened >= 0 else { throw .system(operation: operation, path: path, code: errno) }
        number = opened
        self.path = path
    }

    /// Takes over a file that is open already.
    package init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// Length in bytes of a regular file; nil where it is something else, such as a folder or a pipe.
    package var regularSize: Int? {
        guard let status = FileStatus(descriptor: number), status.isRegular else { return nil }
        return status.byteCount
    }

    /// Whether the file still has a name in some folder.
    package var hasName: Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_nlink > 0
    }

    /// Whether another program holds a lock on the file as HDF5 does while it writes.
    package var isLocked: Bool {
        guard flock(number, LOCK_SH | LOCK_NB) != 0 else {
            flock(number, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
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
    /// - Throws: `Failure.system`.
    package func readSome(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
        while true {
            let count = pread(number, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .system(operation: "reading", path: path, code: errno) }
        }
    }

    /// Fills all of `bytes` from `offset` on.
    ///
    /// - Throws: `Failure.system`, or `.damaged` where the file ends before.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) {
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
    package func truncate(to byteCount: Int) throws(Failure) {
        guard ftruncate(number, off_t(byteCount)) == 0 else {
            throw .system(operation: "cutting off the file", path: path, code: errno)
        }
    }

    /// Waits until everything written is on the disk.
    package func synchronize() throws(Failure) {
        guard fsync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
    }

    /// Waits until everything written, and what is needed to find it again, is on the disk.
    package func synchronizeData() throws(Failure) {
        #if canImport(Darwin)
            try synchronize()
        #else
            guard fdatasync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
        #endif
    }
}
