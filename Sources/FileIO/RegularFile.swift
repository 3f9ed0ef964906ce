import Platform

/// A regular file, open for reading at any offset, closed at the end of the value's life.
package struct RegularFile: ~Copyable {
    /// Its length in bytes when it was opened.
    package let size: Int
    private let descriptor: Int32

    /// Opens a file; nil where it cannot be opened, with the reason in `errno`, or is not a regular file.
    package init?(path: String) {
        // Non-blocking: opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let status = FileStatus(descriptor: descriptor), status.isRegular else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = status.byteCount
    }

    deinit { close(descriptor) }

    /// Reads up to `maximum` bytes, and at least `minimum` unless the file ends before.
    ///
    /// - Returns: The number of bytes; nil: the system refused, with the reason in `errno`.
    package func read(into bytes: UnsafeMutableRawPointer, at offset: Int, minimum: Int, maximum: Int) -> Int? {
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
}
