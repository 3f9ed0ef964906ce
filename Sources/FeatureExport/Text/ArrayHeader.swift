/// The header of an NPY file, version 1.0.
package enum ArrayHeader {
    /// Bytes of a header, padded with spaces to a multiple of 64.
    package static func bytes(descr: String, extents: [Int]) -> [UInt8] {
        let shape = extents.map { "\($0)" }.joined(separator: ", ") + (extents.count == 1 ? "," : "")
        var text = Array("{'descr': '\(descr)', 'fortran_order': False, 'shape': (\(shape)), }".utf8)
        let fixed = 10
        let count = (fixed + text.count + 1 + 63) / 64 * 64
        text += Array(repeating: UInt8(ascii: " "), count: count - fixed - text.count - 1) + [UInt8(ascii: "\n")]
        let length = UInt16(text.count)
        return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + text
    }
}

/// Bytes of a zlib stream (RFC 1950) whose data is stored, not compressed.
enum StoredZlib {
    static func bytes(of data: UnsafeRawBufferPointer) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let count = min(65_535, data.count - start)
            let isLast = start + count == data.count
            stream.append(isLast ? 1 : 0)
            for half in [UInt16(count), ~UInt16(count)] {
                stream.append(UInt8(half & 0xFF))
                stream.append(UInt8(half >> 8))
            }
            stream.append(contentsOf: data[start..<start + count])
            start += count
        } while start < data.count
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let checksum = high << 16 | low
        for shift in [24, 16, 8, 0] as [UInt32] { stream.append(UInt8(checksum >> shift & 0xFF)) }
        return stream
    }
}
