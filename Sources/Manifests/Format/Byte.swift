/// The bytes with a meaning in a manifest.
enum Byte {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let backslash = UInt8(ascii: "\\")
}

/// Strings as JSON writes them.
package enum JSONText {
    /// A string in quotation marks.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a string, given by its UTF-8 bytes, in quotation marks; only what must be escaped is.
    static func append(_ characters: some Sequence<UInt8>, to text: inout [UInt8]) {
        text.append(Byte.quote)
        for byte in characters {
            switch byte {
            case Byte.quote, Byte.backslash:
                text.append(Byte.backslash)
                text.append(byte)
            case Byte.lineFeed: text.append(contentsOf: "\\n".utf8)
            case Byte.carriageReturn: text.append(contentsOf: "\\r".utf8)
            case Byte.tab: text.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                text.append(contentsOf: "\\u00".utf8)
                text.append(contentsOf: (byte < 0x10 ? "0" : "").utf8)
                text.append(contentsOf: String(byte, radix: 16).utf8)
            default: text.append(byte)
            }
        }
        text.append(Byte.quote)
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks at the ends.
    package var trimmingBlanks: ArraySlice<UInt8> {
        var rest = self
        while let byte = rest.first, byte == Byte.space || byte == Byte.tab { rest.removeFirst() }
        while let byte = rest.last, byte == Byte.space || byte == Byte.tab { rest.removeLast() }
        return rest
    }
}

extension String {
    /// The last name in a path; the path itself where it has none.
    package var lastName: String { utf8.split(separator: Byte.slash).last.map { String(Substring($0)) } ?? self }

    /// What follows the last dot; nil: there is none.
    var nameExtension: String? { utf8.lastIndex(of: Byte.dot).map { String(self[utf8.index(after: $0)...]) } }

    /// The text without blanks at its ends.
    package func trimmingBlanks() -> String { String(decoding: Array(utf8)[...].trimmingBlanks, as: UTF8.self) }
}
