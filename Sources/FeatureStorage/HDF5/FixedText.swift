/// Texts as they lie in a column of fixed width: UTF-8, filled with zero bytes.
enum FixedText {
    /// The bytes of all texts, each `width` long. A text that is too long is cut between two characters.
    static func bytes(_ texts: [String], width: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.count * width)
        for text in texts {
            var utf8 = Array(text.utf8.prefix(width))
            // Bytes 10xxxxxx continue a character; do not leave one half a character at the end.
            if text.utf8.count > width {
                while let last = utf8.last, last & 0xC0 == 0x80 { utf8.removeLast() }
                if let last = utf8.last, last >= 0xC0 { utf8.removeLast() }
            }
            bytes += utf8
            bytes += repeatElement(0, count: width - utf8.count)
        }
        return bytes
    }

    /// The texts, each `width` bytes long, without the zero bytes behind them.
    static func texts(_ bytes: [UInt8], width: Int) -> [String] {
        stride(from: 0, to: bytes.count - bytes.count % max(width, 1), by: max(width, 1)).map { start in
            let text = bytes[start..<start + width]
            return String(decoding: text[..<(text.lastIndex { $0 != 0 }.map { $0 + 1 } ?? start)], as: UTF8.self)
        }
    }
}
