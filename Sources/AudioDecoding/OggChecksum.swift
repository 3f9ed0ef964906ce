import CKernels

/// The CRC-32 of Ogg pages (RFC 3533): polynomial 0x04C11DB7, highest bit first, nothing inverted. About 2 GB/s.
enum OggChecksum {
    /// Sixteen tables of 256 entries: entry b of table k is the checksum of byte b with k zero bytes behind it.
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
