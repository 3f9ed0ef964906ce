import Platform

/// The bytes of a regular file, or of a part of one, readable at any offset.
package struct RegularFile: ~Copyable {
    /// Length in bytes when it was opened.
    package let size: Int
    private let descriptor: Int32
    /// The part that is read; nil: a whole file, closed at the end of the value's life.
    private let part: FilePart?

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
        part = nil
    }

    /// Reads a part of an open file.
    package init(_ part: FilePart) { (size, descriptor, self.part) = (part.count, part.file.descriptor, part) }

    /// Opens bytes; nil where they are a file that cannot be opened, with the reason in `errno`, or that is not regular.
    package init?(_ content: FileContent) {
        switch content {
        case .file(let path): self.init(path: path)
        case .part(let part): self.init(part)
        }
    }

    deinit { if part == nil { close(descriptor) } }

    /// Reads up to `maximum` bytes, and at least `minimum` unless the bytes end before.
    ///
    /// - Returns: The number of bytes; nil: the system refused, with the reason in `errno`.
    package func read(into bytes: UnsafeMutableRawPointer, at offset: Int, minimum: Int, maximum: Int) -> Int? {
        guard let part else {
            return readFully(descriptor, bytes, at: offset, minimum: minimum, maximum: maximum)
        }
        let rest = max(size - offset, 0)
        return readFully(
            descriptor, bytes, at: part.offset + offset, minimum: min(minimum, rest), maximum: min(maximum, rest))
    }
}
