/// JSON as bytes, appended value by value. Commas are set where they are needed.
struct JSONBuilder {
    /// The text so far.
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// The text so far, which is forgotten here; what follows continues it.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Ends a line of JSON Lines.
    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Appends an object; `members` appends keys and values.
    mutating func object(_ members: (inout JSONBuilder) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    /// Appends an array; `elements` appends values.
    mutating func array(_ elements: (inout JSONBuilder) -> Void) {
        open("[")
        elements(&self)
        close("]")
    }

    /// Starts an object or an array that is longer than is wanted in memory.
    mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    /// Ends it.
    mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Appends the key of the next value.
    mutating func key(_ name: String) {
        separate()
        quote(name.utf8)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends a value.
    mutating func value(_ value: some JSONElement) { value.append(to: &self) }

    /// Appends UTF-8 as a text.
    mutating func value(utf8: some Sequence<UInt8>) {
        separate()
        quote(utf8)
        needsComma = true
    }

    /// Appends JSON as it is.
    mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    /// Appends a member.
    mutating func member(_ name: String, _ value: some JSONElement) {
        key(name)
        value.append(to: &self)
    }

    /// Appends the inside of a text, for one that is longer than is wanted in memory.
    mutating func inside(_ utf8: some Sequence<UInt8>) {
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20: bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: bytes.append(byte)
            }
        }
    }

    private mutating func quote(_ utf8: some Sequence<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        inside(utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }
}

/// A value that JSON can hold: a text, a number with all its digits, which is null where it is not finite, or a list of these.
protocol JSONElement {
    func append(to json: inout JSONBuilder)
}

extension String: JSONElement {
    func append(to json: inout JSONBuilder) { json.value(utf8: utf8) }
}

extension Int: JSONElement {
    func append(to json: inout JSONBuilder) { json.raw("\(self)") }
}

extension Double: JSONElement {
    func append(to json: inout JSONBuilder) { json.raw(isFinite ? "\(self)" : "null") }
}

extension Float: JSONElement {
    func append(to json: inout JSONBuilder) { json.raw(isFinite ? "\(self)" : "null") }
}

extension Array: JSONElement where Element: JSONElement {
    func append(to json: inout JSONBuilder) { json.array { for element in self { element.append(to: &$0) } } }
}
