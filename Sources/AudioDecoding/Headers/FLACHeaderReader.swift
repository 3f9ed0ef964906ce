import FeatureModel
import FileIO
import Platform

/// Reads the headers of frames one by one, with any bytes between them.
struct FLACHeaderReader: ~Copyable {
    var fileSize: Int { file.size }
    /// Offset of the bytes that are looked at next.
    private(set) var offset: Int
    private let file: RegularFile
    private let buffer = ReadBuffer()
    private var readsAhead = true

    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be opened.
    init(_ content: FileContent, from offset: Int) throws(ClipFailure) {
        guard let file = RegularFile(content) else { throw .cannotRead(SystemCallError(errno)) }
        self.file = file
        self.offset = offset
    }

    /// Continues at another offset.
    ///
    /// - Parameter readsAhead: Whether many headers are read from there on.
    mutating func move(to offset: Int, readsAhead: Bool) { (self.offset, self.readsAhead) = (offset, readsAhead) }

    /// The next header whose checksum is right, and its offset; nil at the end of the file.
    mutating func next() throws(ClipFailure) -> (Int, FLACFrameHeader)? {
        while offset < fileSize {
            let bytes = try window()
            guard let start = bytes.baseAddress, let sign = memchr(start, 0xFF, bytes.count) else {
                offset += max(bytes.count, 1)
                continue
            }
            offset += UnsafeRawPointer(sign) - start
            let header = try window().withMemoryRebound(to: UInt8.self) { FLACFrameHeader($0, at: 0) }
            offset += 1
            if let header { return (offset - 1, header) }
        }
        return nil
    }

    /// Bytes that are read at once where few headers are wanted.
    private static let few = 4096

    /// The bytes from `offset` on: enough for a header, unless the file ends before.
    private func window() throws(ClipFailure) -> UnsafeRawBufferPointer {
        let least = min(FLACFrameHeader.maximumBytes, fileSize - offset)
        let most = max(least, min(readsAhead ? ReadBuffer.capacity : Self.few, fileSize - offset))
        guard let bytes = buffer.bytes(at: offset, atLeast: least, reading: most, of: file) else {
            throw .cannotRead(SystemCallError(errno))
        }
        return bytes
    }
}
