import CPlatform
import Platform

/// An open file, closed at the end of the value's life. Reads and writes are complete or throw.
package struct StorageFile: ~Copyable, Sendable {
    /// Its number, open while the value lives.
    package let number: Int32
    /// Its path.
    package let path: String

    /// Opens a file.
    ///
    /// - Throws: `StorageError.system`.
    package init(path: String, flags: Int32, operation: String) throws(StorageError) {
        // Non-blocking: opening a pipe would wait for its writer.
        let opened = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard opened >= 0 else { throw .system(operation: operation, path: path, code: errno) }
        number = opened
        self.path = path
    }

    /// Takes over an open file.
    package init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// Length in bytes of a regular file; nil for anything else, such as a folder or a pipe.
    package var regularSize: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Whether the file still has a name in some folder.
    package var hasName: Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_nlink > 0
    }

    /// Whether another program has locked the file, as HDF5 does while it writes.
    package var isLocked: Bool {
        guard flock(number, LOCK_SH | LOCK_NB) != 0 else {
            flock(number, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
        do throws(SystemError) { try writeFully(number, bytes, at: offset) } catch {
            throw .system(operation: "writing", path: path, code: error.code)
        }
    }

    /// Reads from `offset` on by a single call; returns the number of bytes.
    ///
    /// - Throws: `StorageError.system`.
    package func readSome(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int {
        while true {
            let count = pread(number, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .system(operation: "reading", path: path, code: errno) }
        }
    }

    /// Fills all of `bytes` from `offset` on.
    ///
    /// - Throws: `StorageError.system`, or `.damaged` where the file ends earlier.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try readSome(into: rest, at: offset + done)
            guard count > 0 else { throw .damaged(path: path, found: "it ends at byte \(offset + done)") }
            done += count
        }
    }

    /// Cuts the file off after its first `byteCount` bytes, or extends it with zeros.
    package func truncate(to byteCount: Int) throws(StorageError) {
        guard ftruncate(number, off_t(byteCount)) == 0 else {
            throw .system(operation: "cutting off the file", path: path, code: errno)
        }
    }

    /// Allocates disk space for bytes that are written later, so that writing them takes less time. The file's length is
    /// unchanged.
    ///
    /// - Returns: Whether it was allocated; false also if the file system cannot do so.
    package func reserve(_ range: Range<Int>) -> Bool {
        veery_reserve(number, Int64(range.lowerBound), Int64(range.count)) == 0
    }

    /// Waits until everything written is on the disk.
    package func synchronize() throws(StorageError) {
        guard fsync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
    }

    /// Waits until everything written, and the metadata to find it, is on the disk.
    package func synchronizeData() throws(StorageError) {
        #if canImport(Darwin)
            try synchronize()
        #else
            guard fdatasync(number) == 0 else { throw .system(operation: "writing to disk", path: path, code: errno) }
        #endif
    }
}
