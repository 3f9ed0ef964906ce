/// A value of JSON, with the digits of numbers and the order of names as they were written.
package indirect enum JSONValue: Hashable, Sendable {
    case string(String)
    /// A number, with its digits as they were written.
    case number(String)
    case boolean(Bool)
    case null
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) { (self.name, self.value) = (name, value) }
    }

    /// Why a text is not JSON, in words.
    package struct Failure: Error {
        package let text: String

        package init(text: String) { self.text = text }

        package static let moreThanAnObject = Self(
            text: "continues after its object; expected one object on every line")
    }

    /// Reads a line that holds one object.
    package init(line: [UInt8]) throws(Failure) {
        var value = JSONValue.null
        let problem = JSONScanner.problem(in: line) { scanner throws(Failure) in
            if scanner.peek() != UInt8(ascii: "{") { try scanner.expect("{", "at the start of the row's object") }
            value = try scanner.takeTree()
            guard scanner.peek() == nil else { throw .moreThanAnObject }
        }
        if let problem { throw Failure(text: problem) }
        self = value
    }

    /// Reads any value; nil: the text is not one.
    package init?(json: some Collection<UInt8>) {
        let value = Array(json).withUnsafeBufferPointer { bytes -> JSONValue? in
            var scanner = JSONScanner(bytes)
            guard let value = try? scanner.takeTree(), scanner.peek() == nil else { return nil }
            return value
        }
        guard let value else { return nil }
        self = value
    }

    /// The value of a member; nil where this is not an object, or has none of that name, or null.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let member = members.first(where: { $0.name == name }),
            member.value != .null
        else { return nil }
        return member.value
    }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    package var number: Double? {
        guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The path in an object that describes a recording, as those of Hugging Face do: `{"path": "a.wav", "bytes": null}`; nil: there
    /// is none.
    package var recordingPath: String? { self["path"]?.string }

    /// The path in a field, which may hold such an object.
    package static func recordingPath(in field: String) -> String {
        field.hasPrefix("{") ? JSONValue(json: field.utf8)?.recordingPath ?? field : field
    }

    /// The text of a field: a string's characters, nothing for null, and anything else as JSON without blanks.
    package var text: String {
        switch self {
        case .string(let text), .number(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .null: ""
        case .array, .object: json
        }
    }

    /// The same value with names sorted by their bytes.
    package var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(
                members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                    .map { Member(name: $0.name, value: $0.value.sorted) })
        case .string, .number, .boolean, .null: self
        }
    }

    /// JSON without blanks.
    private var json: String {
        switch self {
        case .string(let text): JSONText.quoted(text)
        case .null: "null"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        case .number, .boolean: text
        }
    }
}

extension JSONScanner {
    /// Takes any value.
    mutating func takeTree(depth: Int = 0) throws(Failure) -> JSONValue {
        guard depth < Self.depthLimit else { throw Failure(text: "is nested more than \(Self.depthLimit) deep") }
        switch peek() {
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try expect("[", "before an array")
            if !take("]") {
                repeat { elements.append(try takeTree(depth: depth + 1)) } while take(",")
                try expect("]", "after an array")
            }
            return .array(elements)
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try takeObject { scanner, name throws(Failure) in
                members.append(JSONValue.Member(name: name, value: try scanner.takeTree(depth: depth + 1)))
            }
            return .object(members)
        default:
            var text: [UInt8] = []
            let kind = try takeValue(into: &text)
            let string = String(decoding: text, as: UTF8.self)
            return switch kind {
            case .string: .string(string)
            case .number: .number(string)
            case .boolean: .boolean(string == "true")
            case .null, .nested: .null
            }
        }
    }
}
