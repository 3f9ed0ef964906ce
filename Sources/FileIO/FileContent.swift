import Platform

/// Where bytes are: in a file of their own, or in a part of an open one, such as a member of an archive.
package enum FileContent: Sendable {
    /// A file by its path.
    case file(String)
    case part(FilePart)

    /// Its status now; nil where it cannot be looked up, with the reason in `errno`.
    package var status: ContentStatus? {
        switch self {
        case .file(let path): FileStatus(path: path).map(ContentStatus.init)
        case .part(let part): part.status
        }
    }
}

/// The status of bytes: two are equal for the same, unchanged bytes.
package struct ContentStatus: Hashable, Sendable {
    /// The status of the file that holds them.
    package let file: FileStatus
    /// Where they start: in the file, or in what it holds in compressed form; 0 for a whole file.
    package let offset: Int

    package init(_ file: FileStatus, offset: Int) { (self.file, self.offset) = (file, offset) }

    /// The status of a whole file.
    package init(_ file: FileStatus) { self.init(file, offset: 0) }
}

/// A part of an open file, with its own length.
package struct FilePart: Sendable {
    package let file: SharedFile
    /// The offset of its first byte in `file`.
    package let offset: Int
    /// Length in bytes.
    package let count: Int
    package let status: ContentStatus

    package init(_ file: SharedFile, offset: Int, count: Int, status: ContentStatus) {
        (self.file, self.offset, self.count, self.status) = (file, offset, count, status)
    }
}

/// An open file that any number of threads read at once. It is closed when the last reference to it is gone.
package final class SharedFile: Sendable {
    package let descriptor: Int32

    /// Takes over an open file.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a file for reading.
    package convenience init(path: String) throws(SystemError) {
        // Non-blocking: opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        self.init(descriptor: descriptor)
    }

    /// Opens a file, a pipe or a device that is read as a stream. Waits for a named pipe's writer.
    package convenience init(streamAt path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        self.init(descriptor: descriptor)
    }

    /// Creates a file without a name, for reading and writing. It is deleted when the program ends, in whatever way.
    package static func unnamed(in folder: String) throws(SystemError) -> SharedFile {
        // The letters that mkstemp replaces.
        var path = Array("\(folder)/veery-\(String(repeating: "X", count: 6))".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .last }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return SharedFile(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Reads from an offset on, until the buffer is full or the file ends.
    ///
    /// - Returns: The number of bytes.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        guard let count = readFully(descriptor, start, at: offset, minimum: bytes.count, maximum: bytes.count) else {
            throw .last
        }
        return count
    }

    /// The bytes at an offset, fewer at the end of the file.
    package func bytes(at offset: Int, _ count: Int) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 1)
        defer { buffer.deallocate() }
        let found = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
        return Array(buffer[..<found])
    }

    /// All bytes of a file; those after the first `maximum` are not read. A pipe is not waited for: `PatientReader` does that.
    package static func contents(of path: String, maximum: Int = .max) throws(SystemError) -> [UInt8] {
        let file = try SharedFile(path: path)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(max(maximum, 1), 1 << 16))
        while bytes.count < maximum {
            let count = systemRead(file.descriptor, &piece, min(piece.count, maximum - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Truncates the file to no bytes.
    package func clear() throws(SystemError) { guard ftruncate(descriptor, 0) == 0 else { throw .last } }

    /// Writes all bytes at an offset.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        try writeFully(descriptor, bytes, at: offset)
    }
}

/// Writes all bytes at an offset of an open file.
package func writeFully(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .last }
        done += count
    }
}

/// Reads up to `maximum` bytes, and at least `minimum` unless the file ends before.
///
/// - Returns: The number of bytes; nil: the system refused, with the reason in `errno`.
package func readFully(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, at offset: Int, minimum: Int, maximum: Int
) -> Int? {
    var done = 0
    while done < minimum {
        let count = pread(descriptor, bytes + done, maximum - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        guard count > 0 else { break }
        done += count
    }
    return done
}

/// The system's function, which the type's own name would hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
