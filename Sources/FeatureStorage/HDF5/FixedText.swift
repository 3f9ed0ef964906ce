/// Texts of fixed width: UTF-8, padded with zero bytes.
enum FixedText {
    /// The bytes of all texts, each `width` long. A text that is too long is cut between two characters.
    static func bytes(_ texts: [String], width: Int) -> [UInt8] {
        Array(unsafeUninitializedCapacity: texts.count * width) { bytes, filled in
            bytes.initialize(repeating: 0)
            filled = bytes.count
            for (index, text) in texts.enumerated() {
                var text = text
                text.withUTF8 { utf8 in
                    var count = min(utf8.count, width)
                    // Bytes 10xxxxxx continue a character: where one is the first that is cut off, the character's others go
                    // too.
                    while count > 0, count < utf8.count, utf8[count] & 0xC0 == 0x80 { count -= 1 }
                    UnsafeMutableRawBufferPointer(bytes)[(index * width)...].prefix(count)
                        .copyBytes(from: utf8.prefix(count))
                }
            }
        }
    }

    /// The texts, each `width` bytes long, without trailing zero bytes.
    static func texts(_ bytes: [UInt8], width: Int) -> [String] {
        stride(from: 0, to: bytes.count - bytes.count % max(width, 1), by: max(width, 1)).map { start in
            let text = bytes[start..<start + width]
            return String(decoding: text[..<(text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? start)], as: UTF8.self)
        }
    }
}
