/// JSON as bytes, appended value by value. Commas are set where they are needed.
package struct JSONBuilder {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Forgets the text.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// The text so far, which is forgotten here; what follows continues it.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Ends a line of JSON Lines.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Appends an object; `members` appends keys and values.
    package mutating func object(_ members: (inout JSONBuilder) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    /// Appends an array; `elements` appends values.
    package mutating func array(_ elements: (inout JSONBuilder) -> Void) {
        open("[")
        elements(&self)
        close("]")
    }

    /// Starts an object or an array that is longer than is wanted in memory.
    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    /// Ends it.
    package mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Appends the key of the next value.
    package mutating func key(_ name: String) {
        separate()
        JSONText.append(name.utf8, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Appends a value.
    package mutating func value(_ value: some JSONElement) { value.append(to: &self) }

    /// Appends UTF-8 as a text.
    package mutating func value(utf8: some Sequence<UInt8>) {
        separate()
        JSONText.append(utf8, to: &bytes)
        needsComma = true
    }

    /// Appends JSON as it is.
    package mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    /// Appends a member.
    package mutating func member(_ name: String, _ value: some JSONElement) {
        key(name)
        value.append(to: &self)
    }

    /// Appends the inside of a text, for one that is longer than is wanted in memory.
    package mutating func inside(_ utf8: some Sequence<UInt8>) { JSONText.appendInside(utf8, to: &bytes) }

    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }
}

/// A value that JSON can hold: a text, a number with all its digits, which is null where it is not finite, or a list of these.
package protocol JSONElement {
    func append(to json: inout JSONBuilder)
}

extension String: JSONElement {
    package func append(to json: inout JSONBuilder) { json.value(utf8: utf8) }
}

extension Int: JSONElement {
    package func append(to json: inout JSONBuilder) { json.raw("\(self)") }
}

extension Double: JSONElement {
    package func append(to json: inout JSONBuilder) { json.raw(isFinite ? "\(self)" : "null") }
}

extension Float: JSONElement {
    package func append(to json: inout JSONBuilder) { json.raw(isFinite ? "\(self)" : "null") }
}

extension Array: JSONElement where Element: JSONElement {
    package func append(to json: inout JSONBuilder) { json.array { for element in self { element.append(to: &$0) } } }
}
