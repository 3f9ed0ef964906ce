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
    ///   - owners: The kinds that have a key, for the error; empty: it says nothing of them.
    /// - Throws: `ConfigurationError.unknownKey` for the first key that is not in `keys`, `.invalidValue` where it is in
    ///   `others`.
    init(
        _ decoder: any Decoder, keys: [String], ofOthers others: [String] = [], kind: String = "",
        owners: (String) -> [String] = { _ in [] }
    ) throws {
        path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        do {
            container = try decoder.container(keyedBy: AnyCodingKey.self)
        } catch is DecodingError {
            throw ConfigurationError.invalidValue(
                key: path.isEmpty ? "(top level)" : path, found: Self.text(of: decoder),
                expected: "a mapping with the keys \(keys.joined(separator: ", "))")
        }
        let unknown = container.allKeys.map(\.stringValue).filter { !keys.contains($0) }
        if let key = unknown.min() {
            if others.contains(key) {
                throw ConfigurationError.invalidValue(
                    key: name(of: key), found: "it beside kind: \(kind)",
                    expected: "only \(keys.joined(separator: ", ")) for this kind"
                        + (owners(key).isEmpty ? "" : " (\(key): kind \(owners(key).joined(separator: ", ")))"))
            }
            throw unknownKey(key, known: keys)
        }
    }

    /// The error for a key that this section does not know: with what it is called here, where it is, or what is like it.
    private func unknownKey(_ key: String, known: [String]) -> ConfigurationError {
        if let foreign = ForeignName.key(key) {
            return .foreignKey(key: name(of: key), ours: foreign.ours, note: foreign.note)
        }
        if path.isEmpty, let written = ConfigurationKeys.section(ofDotted: key) {
            return .foreignKey(key: key, ours: [written], note: "")
        }
        let elsewhere = ConfigurationKeys.paths(of: key) + ConfigurationKeys.settings(named: key)
        guard elsewhere.isEmpty else { return .foreignKey(key: name(of: key), ours: elsewhere, note: "") }
        let nearest = nearestName(to: key, in: known).map(name(of:))
        return .unknownKey(key: name(of: key), nearest: nearest ?? ConfigurationKeys.nearestPath(to: key), known: known)
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

    /// A whole number within `range`; `others` says what else may stand there.
    func integer(
        _ key: String, default fallback: Int, in range: ClosedRange<Int>, beside others: String = ""
    ) throws -> Int {
        let expected = others + "a whole number from \(range.lowerBound) to \(range.upperBound)"
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

    /// A frequency in Hz: a number, or a text such as `16 kHz`, `16k` or `300 Hz`.
    func hertz(_ key: String) -> Double? {
        let key = AnyCodingKey(key)
        if let number = try? container.decode(Double.self, forKey: key) { return number }
        guard let text = try? container.decode(String.self, forKey: key),
            case .hertz(let hertz)? = FrequencyEdge(text: text)
        else { return nil }
        return hertz
    }

    /// A frequency as `hertz` reads it, for which `isAllowed` holds.
    func frequency(
        _ key: String, default fallback: Double, expected: String, where isAllowed: (Double) -> Bool
    ) throws -> Double {
        guard has(key) else { return fallback }
        guard let frequency = hertz(key), frequency.isFinite, isAllowed(frequency) else {
            throw invalid(key, expected: expected)
        }
        return frequency
    }

    /// A time in s: a number, or a text such as `3 s`, `3s` or `500 ms`; nil where the key is missing or null.
    func time(_ key: String, expected: String) throws -> Double? {
        guard has(key) else { return nil }
        if let number = try? container.decode(Double.self, forKey: AnyCodingKey(key)) { return number }
        guard let text = try? container.decode(String.self, forKey: AnyCodingKey(key)),
            case .seconds(let time)? = SampleSpan(text: text)
        else { throw invalid(key, expected: expected) }
        return time
    }

    /// Whether the value of `key` is this word.
    func isWord(_ word: String, at key: String) -> Bool {
        (try? container.decode(String.self, forKey: AnyCodingKey(key))) == word
    }

    /// True or false.
    func flag(_ key: String, default fallback: Bool) throws -> Bool {
        try value(key, default: fallback, expected: "true or false")
    }

    /// One of the names of a closed set.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, default fallback: Choice
    ) throws -> Choice where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue)
        let expected = "one of " + names.joined(separator: ", ")
        let name = try value(key, default: fallback.rawValue, expected: expected)
        guard let choice = Choice(rawValue: name) else {
            throw ConfigurationError.invalidValue(
                key: self.name(of: key), found: Self.found(name, among: names), expected: expected)
        }
        return choice
    }

    /// The error for the value that stands at `key`.
    func invalid(_ key: String, expected: String) -> ConfigurationError {
        .invalidValue(key: name(of: key), found: text(of: key), expected: expected)
    }

    /// A name that is none of `names`, and which of them is likely meant.
    static func found(_ name: String, among names: [String]) -> String {
        let quoted = "'\(name.excerpt)'"
        if let ours = ForeignName.value(name, among: names) { return "\(quoted), which is \(ours) here" }
        return quoted + (nearestName(to: name, in: names).map { " (did you mean '\($0)'?)" } ?? "")
    }

    private func text(of key: String) -> String {
        let key = AnyCodingKey(key)
        if let text = try? container.decode(String.self, forKey: key) { return "'\(text.excerpt)'" }
        if let number = try? container.decode(Int.self, forKey: key) { return "\(number)" }
        if let number = try? container.decode(Double.self, forKey: key) { return "\(number)" }
        if let flag = try? container.decode(Bool.self, forKey: key) { return "\(flag)" }
        return container.contains(key) ? "something else" : "nothing"
    }

    static func text(of decoder: any Decoder) -> String {
        guard let container = try? decoder.singleValueContainer() else { return "something else" }
        if container.decodeNil() { return "nothing" }
        if let text = try? container.decode(String.self) { return "'\(text.excerpt)'" }
        if let number = try? container.decode(Int.self) { return "\(number)" }
        if let number = try? container.decode(Double.self) { return "\(number)" }
        if let flag = try? container.decode(Bool.self) { return "\(flag)" }
        return "something else"
    }
}
