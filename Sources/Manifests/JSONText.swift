/// Strings as JSON writes them.
enum JSONText {
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
