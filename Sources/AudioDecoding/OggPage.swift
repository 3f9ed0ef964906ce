/// A page of an Ogg file (RFC 3533) with a right checksum.
struct OggPage: Equatable {
    /// Where it begins in the file, in bytes.
    let offset: Int
    /// Its length in bytes.
    let size: Int
    /// Which of the file's streams it belongs to.
    let serial: UInt32
    /// Its number in that stream, from 0.
    let sequence: UInt32
    /// The stream's position behind the last packet that ends on the page, in the codec's samples; nil: none ends on it.
    let granule: Int?
    /// Whether its stream begins with it.
    let isFirst: Bool
    /// Whether its stream ends with it.
    let isLast: Bool

    /// Bytes of a page before the lengths of its segments.
    static let headerSize = 27
    /// Bytes of the longest page: 255 segments of 255 bytes.
    static let mostBytes = headerSize + 255 + 255 * 255
    /// The most packets on one page.
    static let mostPackets = 255
    static let capturePattern = Array("OggS".utf8)

    /// Length of a page in bytes by its header; nil: these bytes begin no page of version 0.
    ///
    /// - Parameter bytes: The header and the lengths of the segments, or all that the file has of them.
    /// - Returns: Where the file ends before that can be told, more than there are bytes.
    static func size(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard zip(bytes, capturePattern + [0]).allSatisfy(==) else { return nil }
        guard bytes.count >= headerSize else { return bytes.count + 1 }
        let segments = Int(bytes[headerSize - 1])
        guard bytes.count >= headerSize + segments else { return headerSize + segments }
        return bytes[headerSize..<headerSize + segments].reduce(headerSize + segments) { $0 + Int($1) }
    }

    /// Nil where the checksum is wrong.
    ///
    /// - Parameter bytes: As many as `size` says.
    init?(_ bytes: UnsafeRawBufferPointer, offset: Int) {
        func word(_ place: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        }
        guard bytes.count >= Self.headerSize, OggChecksum.of(page: bytes, field: 22) == word(22) else { return nil }
        self.offset = offset
        size = bytes.count
        serial = word(14)
        sequence = word(18)
        let position = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: Int64.self))
        granule = position >= 0 ? Int(position) : nil
        isFirst = bytes[5] & 2 != 0
        isLast = bytes[5] & 4 != 0
    }
}
