/// Strings as JSON writes them.
package enum JSONText {
    /// A string in quotation marks.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a string, given by its UTF-8 bytes, in quotation marks.
    package static func append(_ characters: some Sequence<UInt8>, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        appendInside(characters, to: &text)
        text.append(UInt8(ascii: "\""))
    }

    /// Appends the inside of a string; only what must be escaped is.
    package static func appendInside(_ characters: some Sequence<UInt8>, to text: inout [UInt8]) {
        // The loop is not generic: a generic one that another module calls is many times slower.
        if characters.withContiguousStorageIfAvailable({ escape($0, into: &text) }) == nil {
            Array(characters).withUnsafeBufferPointer { escape($0, into: &text) }
        }
    }

    private static func escape(_ characters: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) {
        for byte in characters {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case UInt8(ascii: "\n"): text.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): text.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): text.append(contentsOf: "\\t".utf8)
            case 0..<0x20: text.append(contentsOf: "\\u\(Int(byte).padded(to: 4, radix: 16))".utf8)
            default: text.append(byte)
            }
        }
    }
}
