/// The encoding of texts of Windows in western languages, which agrees with Latin-1 in all letters of that.
///
/// Nothing in a text says that it has this encoding: it is assumed where no byte contradicts that.
package enum Windows1252 {
    /// What the bytes 0x80 to 0x9F stand for; 0: nothing.
    private static let marks: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// The text of bytes; nil where one stands for no letter, or where some are letters in UTF-8: no encoding is right then.
    package static func text(_ bytes: [UInt8]) -> String? {
        guard !holdsUTF8(bytes) else { return nil }
        var text = ""
        text.unicodeScalars.reserveCapacity(bytes.count)
        for byte in bytes {
            guard let scalar = scalar(byte) else { return nil }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// What a byte stands for; nil: nothing that is in texts.
    static func scalar(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case 0x80...0x9F:
            let mark = marks[Int(byte - 0x80)]
            return mark > 0 ? Unicode.Scalar(mark) : nil
        case 0..<0x20 where byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r"):
            return nil
        default: return Unicode.Scalar(byte)
        }
    }

    /// Whether some bytes above 0x7F are a letter in UTF-8.
    private static func holdsUTF8(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { $0.value > 0x7F && $0 != "\u{FFFD}" }
    }
}
