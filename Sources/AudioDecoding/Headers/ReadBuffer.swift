import FileIO

/// A window of a file's bytes, reused for one file after another.
final class ReadBuffer {
    /// Most recordings of speech commands and animal calls fit into one read.
    static let capacity = 1 << 17

    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadBuffer.capacity, alignment: 64)
    /// Offset of the bytes in the file.
    private var offset = 0
    private var count = 0

    deinit { bytes.deallocate() }

    func clear() { count = 0 }

    /// The bytes that are there from a position of the file on, if they are `least` or more, otherwise up to `most` that are read,
    /// fewer at its end; valid until the next call. Nil: the system's error is in `errno`.
    ///
    /// - Precondition: `most` is at most `capacity`.
    func bytes(
        at position: Int, atLeast least: Int, reading most: Int, of file: borrowing RegularFile
    ) -> UnsafeRawBufferPointer? {
        let isThere = position >= offset && position + least <= offset + count
        return bytes(at: position, count: isThere ? offset + count - position : most, of: file, ahead: false)
    }

    /// Up to `wanted` bytes from a position of the file, fewer at its end; valid until the next call. Nil: the system's error is
    /// in `errno`.
    ///
    /// - Parameter ahead: Whether to fill the buffer where bytes have to be read.
    /// - Precondition: `wanted` is at most `capacity`.
    func bytes(
        at position: Int, count wanted: Int, of file: borrowing RegularFile, ahead: Bool = true
    ) -> UnsafeRawBufferPointer? {
        if position < offset || position + wanted > offset + count {
            offset = position
            count = 0
            guard let start = bytes.baseAddress,
                let read = file.read(into: start, at: position, minimum: wanted, maximum: ahead ? bytes.count : wanted)
            else { return nil }
            count = read
        }
        let start = position - offset
        return UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + wanted, count)])
    }
}
