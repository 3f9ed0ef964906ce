/// Reads one section of a configuration strictly: unknown keys are refused, and every value is checked
/// with an error that names the key, what was expected and what was found.
struct SectionReader {
    private let container: KeyedDecodingContainer<AnyCodingKey>
    private let path: String

    /// A section that is open already; its keys are not checked.
    init(_ container: KeyedDecodingContainer<AnyCodingKey>, path: String) {
        self.container = container
        self.path = path
    }

    /// Opens the section at `decoder` to look at the one key that says which others there are; they are not checked.
    init(_ decoder: any Decoder) throws {
        path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        do {
            container = try decoder.container(keyedBy: AnyCodingKey.self)
        } catch is DecodingError {
            throw ConfigurationError.invalidValue(
                key: path, found: Self.text(of: decoder),
                expected: "a mapping with the keys kind and those of that kind")
        }
    }

    /// Opens the section at `decoder`.
    ///
    /// - Parameters:
    ///   - keys: Those that may stand in it.
    ///   - others: Those that may stand in it beside another `kind`.
    ///   - kind: The one that stands in it.
    /// - Throws: `ConfigurationError.unknownKey` for the first key that is not in `keys`, `.invalidValue` where it is in
    ///   `others`.
    init(_ decoder: any Decoder, keys: [String], ofOthers others: [String] = [], kind: String = "") throws {
        path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        do {
            container = try decoder.container(keyedBy: AnyCodingKey.self)
        } catch is DecodingError {
            throw ConfigurationError.invalidValue(
                key: path.isEmpty ? "(top level)" : path, found: Self.text(of: decoder),
                expected: "a mapping with the keys \(keys.joined(separator: ", "))")
        }
        for key in container.allKeys.map(\.stringValue).sorted() where !keys.contains(key) {
            if others.contains(key) {
                throw ConfigurationError.invalidValue(
                    key: name(of: key), found: "it beside kind: \(kind)",
                    expected: "only \(keys.joined(separator: ", ")) for this kind")
            }
            throw ConfigurationError.unknownKey(
                key: name(of: key), nearest: nearestName(to: key, in: keys).map(name(of:)), known: keys)
        }
    }

    /// The full path of a key of this section, as after `--set`.
    func name(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Whether the key stands in the section with a value other than null.
    func has(_ key: String) -> Bool {
        container.contains(AnyCodingKey(key)) && (try? container.decodeNil(forKey: AnyCodingKey(key))) != true
    }

    /// Whether the key stands in the section, be it as null.
    func mentions(_ key: String) -> Bool { container.contains(AnyCodingKey(key)) }

    /// The value of `key`, or `fallback` where the key is missing or null.
    func value<Value: Decodable>(_ key: String, default fallback: Value, expected: String) throws -> Value {
        try optional(key, expected: expected) ?? fallback
    }

    /// The value of `key`, or nil where the key is missing or null.
    func optional<Value: Decodable>(_ key: String, as type: Value.Type = Value.self, expected: String) throws -> Value?
    {
        guard has(key) else { return nil }
        do {
            return try container.decode(Value.self, forKey: AnyCodingKey(key))
        } catch let error as ConfigurationError {
            throw error
        } catch {
            // Not always a `DecodingError`: Foundation's JSON decoder has another for 1.5 where a whole number belongs.
            throw invalid(key, expected: expected)
        }
    }

    /// A subsection or a custom value, whose own errors pass through; nil where the key is missing or null.
    func section<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value? {
        guard has(key) else { return nil }
        return try container.decode(Value.self, forKey: AnyCodingKey(key))
    }

    /// A whole number within `range`.
    func integer(_ key: String, default fallback: Int, in range: ClosedRange<Int>) throws -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let number = try value(key, default: fallback, expected: expected)
        guard range.contains(number) else { throw invalid(key, expected: expected) }
        return number
    }

    /// A finite number for which `isAllowed` holds; `expected` says in words which those are.
    func number(
        _ key: String, default fallback: Double, expected: String, where isAllowed: (Double) -> Bool
    ) throws -> Double {
        let number = try value(key, default: fallback, expected: expected)
        guard number.isFinite, isAllowed(number) else { throw invalid(key, expected: expected) }
        return number
    }

    /// True or false.
    func flag(_ key: String, default fallback: Bool) throws -> Bool {
        try value(key, default: fallback, expected: "true or false")
    }

    /// One of the names of a closed set.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, default fallback: Choice
    ) throws -> Choice where Choice.RawValue == String {
        let expected = "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")
        let name = try value(key, default: fallback.rawValue, expected: expected)
        guard let choice = Choice(rawValue: name) else { throw invalid(key, expected: expected) }
        return choice
    }

    /// The error for the value that stands at `key`.
    func invalid(_ key: String, expected: String) -> ConfigurationError {
        .invalidValue(key: name(of: key), found: text(of: key), expected: expected)
    }

    private func text(of key: String) -> String {
        let key = AnyCodingKey(key)
        if let text = try? container.decode(String.self, forKey: key) { return "'\(text)'" }
        if let number = try? container.decode(Int.self, forKey: key) { return "\(number)" }
        if let number = try? container.decode(Double.self, forKey: key) { return "\(number)" }
        if let flag = try? container.decode(Bool.self, forKey: key) { return "\(flag)" }
        return container.contains(key) ? "something else" : "nothing"
    }

    static func text(of decoder: any Decoder) -> String {
        guard let container = try? decoder.singleValueContainer() else { return "something else" }
        if container.decodeNil() { return "nothing" }
        if let text = try? container.decode(String.self) { return "'\(text)'" }
        if let number = try? container.decode(Int.self) { return "\(number)" }
        if let number = try? container.decode(Double.self) { return "\(number)" }
        if let flag = try? container.decode(Bool.self) { return "\(flag)" }
        return "something else"
    }
}
