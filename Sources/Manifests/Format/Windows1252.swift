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

    /// The text of bytes; nil where they are not a text in this encoding, as far as can be told.
    ///
    /// A byte may stand for nothing; those above 0x7F may be rather damage than letters; or some are letters in UTF-8, and no
    /// encoding is right then.
    package static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(where: isLikely), !holdsUTF8(bytes), !holdsSurrogates(bytes) else { return nil }
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

    /// Whether a byte above 0x7F is one that texts have without others: 0xFE and 0xFF are rare as letters (þ, ÿ), and frequent as
    /// damage.
    private static func isLikely(_ byte: UInt8) -> Bool { (0x80..<0xFE).contains(byte) }

    /// Whether bytes above 0x7F are letters in UTF-8, and more than a few: two or three of them may be one by chance.
    private static func holdsUTF8(_ bytes: [UInt8]) -> Bool {
        var (letters, others) = (0, 0)
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): if scalar.count > 1 { letters += scalar.count }
            case .error(let length): others += length
            case .emptyInput: return letters > 0 && others <= 10 * letters
            }
        }
    }

    /// Whether some bytes are a character that was converted from UTF-16 in halves, as in CESU-8.
    private static func holdsSurrogates(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast(5).contains {
            bytes[$0] == 0xED && bytes[$0 + 1] & 0xF0 == 0xA0 && bytes[$0 + 3] == 0xED && bytes[$0 + 4] & 0xF0 == 0xB0
        }
    }
}
