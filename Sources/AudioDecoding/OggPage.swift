import CKernels

/// A page of an Ogg file (RFC 3533) with a right checksum.
struct OggPage: Equatable {
    /// Its offset in the file in bytes.
    let offset: Int
    /// Its length in bytes.
    let size: Int
    /// Which of the file's streams it belongs to.
    let serial: UInt32
    /// Its number in that stream, from 0.
    let sequence: UInt32
    /// The stream's position after the last packet that ends on the page, in the codec's samples; nil: none ends on it.
    let granule: Int?
    /// Whether it is the first of its stream.
    let isFirst: Bool
    /// Whether it is the last of its stream.
    let isLast: Bool

    /// Bytes of a page before the table of its segments.
    static let headerSize = 27
    /// Bytes of the longest page: 255 segments of 255 bytes.
    static let maximumBytes = headerSize + 255 + 255 * 255
    /// Maximum packets on one page.
    static let maximumPackets = 255
    static let capturePattern = Array("OggS".utf8)

    /// Length of a page in bytes by its header; nil: no page of version 0 starts with these bytes.
    ///
    /// - Parameter bytes: The header and the lengths of the segments, or all that the file has of them.
    /// - Returns: More than `bytes.count` where the file ends before the page's length is known.
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
        func word(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
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

/// The CRC-32 of Ogg pages (RFC 3533): polynomial 0x04C11DB7, highest bit first, nothing inverted. About 2 GB/s.
enum OggChecksum {
    /// Sixteen tables of 256 entries: entry b of table k is the checksum of byte b followed by k zero bytes.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte) << 24) { value, _ in value << 1 ^ (value >> 31) * 0x04C1_1DB7 }
        }
        for index in 256..<16 * 256 {
            let previous = tables[index - 256]
            tables.append(previous << 8 ^ tables[Int(previous >> 24)])
        }
        return tables
    }()

    /// The checksum of a page, as if the four bytes from `field` on, where it is stored, were zero.
    ///
    /// - Precondition: The page has more than `field` + 4 bytes.
    static func of(page bytes: UnsafeRawBufferPointer, field: Int) -> UInt32 {
        var value = add(UnsafeRawBufferPointer(rebasing: bytes[..<field]), to: 0)
        value = withUnsafeBytes(of: UInt32(0)) { add($0, to: value) }
        return add(UnsafeRawBufferPointer(rebasing: bytes[(field + 4)...]), to: value)
    }

    private static func add(_ bytes: UnsafeRawBufferPointer, to value: UInt32) -> UInt32 {
        guard let start = bytes.baseAddress else { return value }
        return tables.withUnsafeBufferPointer { tables in
            tables.baseAddress.map { veery_ogg_checksum($0, value, start, bytes.count) } ?? value
        }
    }
}
