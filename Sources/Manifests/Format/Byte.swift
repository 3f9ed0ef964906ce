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
