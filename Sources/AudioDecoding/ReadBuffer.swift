import Platform

/// The bytes of a file around the place that is being read, for one file after another.
final class ReadBuffer {
    /// Most recordings of speech commands and calls come in one read.
    static let capacity = 1 << 17

    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadBuffer.capacity, alignment: 64)
    /// Where in the file the bytes begin.
    private var offset = 0
    /// How many there are.
    private var count = 0

    deinit { bytes.deallocate() }

    /// Forgets the file.
    func clear() { count = 0 }

    /// Up to `wanted` bytes from a place of the file, fewer at its end; valid until the next call. Nil: the system's error is
    /// in `errno`.
    ///
    /// - Parameter ahead: Whether as much as there is room for is read at once.
    /// - Precondition: `wanted` is at most `capacity`.
    func bytes(
        at place: Int, count wanted: Int, of descriptor: Int32, ahead: Bool = true
    ) -> UnsafeRawBufferPointer? {
        if place < offset || place + wanted > offset + count {
            offset = place
            count = 0
            let most = ahead ? bytes.count : wanted
            while count < wanted {
                let read = pread(descriptor, bytes.baseAddress.map { $0 + count }, most - count, off_t(place + count))
                if read < 0 {
                    if errno == EINTR { continue }
                    count = 0
                    return nil
                }
                guard read > 0 else { break }
                count += read
            }
        }
        let start = place - offset
        return UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + wanted, count)])
    }
}
