/// Writes the resolution of a PNG in a chunk `pHYs`, which Cairo omits.
enum PNGResolution {
    /// Length of a PNG's signature and its first chunk, `IHDR`, after which the chunk is inserted.
    private static let headLength = 8 + 25

    /// The file with its resolution, in whole pixels a metre.
    static func stated(in png: [UInt8], dpi: Double) -> [UInt8] {
        guard png.count >= headLength else { return png }
        let perMetre = UInt32((dpi / 0.0254).rounded())
        // Unit 1: metre.
        let content = Array("pHYs".utf8) + bytes(perMetre) + bytes(perMetre) + [1]
        let chunk = bytes(UInt32(content.count - 4)) + content + bytes(checksum(content))
        return Array(png[..<headLength]) + chunk + png[headLength...]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The CRC-32 of PNG, zlib and Ethernet: polynomial 0x04C11DB7, bits reflected.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder: UInt32 = ~0
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }
}
