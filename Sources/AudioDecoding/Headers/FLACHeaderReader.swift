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
            let count = min(Self.window, fileSize - offset)
            guard let bytes = buffer.bytes(at: offset, count: count, of: file, ahead: readsAhead),
                let start = bytes.baseAddress
            else {
                throw .cannotRead(SystemCallError(errno))
            }
            guard let sign = memchr(start, 0xFF, bytes.count) else {
                offset += max(bytes.count, 1)
                continue
            }
            offset += UnsafeRawPointer(sign) - start
            if let header = try header() {
                offset += 1
                return (offset - 1, header)
            }
            offset += 1
        }
        return nil
    }

    private static let window = 4096

    private func header() throws(ClipFailure) -> FLACFrameHeader? {
        let count = min(FLACFrameHeader.maximumBytes, fileSize - offset)
        guard let bytes = buffer.bytes(at: offset, count: count, of: file, ahead: readsAhead) else {
            throw .cannotRead(SystemCallError(errno))
        }
        return bytes.withMemoryRebound(to: UInt8.self) { FLACFrameHeader($0, at: 0) }
    }
}
