/// Base64 (RFC 4648), with filling.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of bytes.
    static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
            for digit in 0..<4 {
                text.append(digit <= count ? digits[Int(group >> (18 - 6 * UInt32(digit)) & 63)] : UInt8(ascii: "="))
            }
            index += 3
        }
        return text
    }
}
