/// A part of a configuration as read from text, before its keys are checked.
package indirect enum ConfigurationValue: Hashable, Sendable {
    case scalar(Scalar)
    /// Keys and their values, in the order of the text where the format keeps one.
    case mapping([Entry])
    /// A list of numbers, of one or more. Keys refuse those that are not finite.
    case numbers([Double])
    /// Another list, or something nested deeper than any section.
    case other

    /// Every type that a value can be read as: `160` without quotation marks is a text, an integer and a number in YAML.
    package struct Scalar: Hashable, Sendable {
        package var isNull = false
        package var text: String?
        package var whole: Int?
        package var number: Double?
        package var flag: Bool?
    }

    package struct Entry: Hashable, Sendable {
        package let key: String
        package var value: ConfigurationValue

        package init(key: String, value: ConfigurationValue) { (self.key, self.value) = (key, value) }
    }

    package static let null = scalar(Scalar(isNull: true))
    package static func text(_ text: String) -> Self { scalar(Scalar(text: text)) }
    package static func whole(_ number: Int) -> Self { scalar(Scalar(whole: number, number: Double(number))) }
    /// A number, written with a fraction or an exponent only where needed.
    package static func number(_ number: Double) -> Self { scalar(Scalar(number: number)) }
    package static func flag(_ flag: Bool) -> Self { scalar(Scalar(flag: flag)) }
}

extension ConfigurationValue {
    package var scalar: Scalar? { if case .scalar(let scalar) = self { scalar } else { nil } }
    /// The entries; nil: it is not a mapping.
    package var entries: [Entry]? { if case .mapping(let entries) = self { entries } else { nil } }
    package var isNull: Bool { scalar?.isNull == true }
    package var text: String? { scalar?.text }
    package var whole: Int? { scalar?.whole }
    package var number: Double? { scalar?.number }
    /// The numbers of a list; nil: it is not one.
    package var list: [Double]? { if case .numbers(let numbers) = self { numbers } else { nil } }

    /// The value of a key. Setting nil removes the key; on anything but a mapping, setting does nothing.
    package subscript(key: String) -> ConfigurationValue? {
        get { entries?.first { $0.key == key }?.value }
        set {
            guard var entries else { return }
            let index = entries.firstIndex { $0.key == key }
            if let newValue {
                if let index {
                    entries[index].value = newValue
                } else {
                    entries.append(Entry(key: key, value: newValue))
                }
            } else if let index {
                entries.remove(at: index)
            }
            self = .mapping(entries)
        }
    }

    /// The value for an error message.
    package var found: String {
        guard let scalar else { return "something else" }
        if let text = scalar.text { return "'\(text.excerpt)'" }
        if scalar.isNull { return "nothing" }
        return scalar.whole.map { "\($0)" } ?? scalar.number.map { "\($0)" } ?? scalar.flag.map { "\($0)" }
            ?? "something else"
    }
}

extension ConfigurationValue {
    /// Settings `key=value` of a table, with a blank between two. Another word is a key that no configuration has.
    package static func entries(_ words: String) -> [Entry] {
        words.utf8.split(separator: UInt8(ascii: " ")).map { word in
            let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1).map(Substring.init)
            guard parts.count == 2 else { return Entry(key: String(Substring(word)), value: .other) }
            return Entry(key: String(parts[0]), value: ConfigurationValue(word: parts[1]))
        }
    }

    /// A word of a table: null, true, false, a number, or else text.
    private init(word: Substring) {
        switch word {
        case "null": self = .null
        case "true", "false": self = .flag(word == "true")
        default: self = Int(word).map { .whole($0) } ?? Double(word).map { .number($0) } ?? .text(String(word))
        }
    }
}

extension Double {
    /// The number, without a fraction or an exponent where it is whole and below 10¹⁵.
    package var shortText: String { self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)" }
}

extension ConfigurationValue: Codable {
    /// A key of any name.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The depth of mappings: a configuration, a section, a window or filter in it.
    private static let depth = 3

    package init(from decoder: any Decoder) throws { self.init(decoder, depth: Self.depth) }

    private init(_ decoder: any Decoder, depth: Int) {
        if let scalar = Scalar(decoder) {
            self = .scalar(scalar)
        } else if let numbers = Self.numbers(decoder) {
            self = .numbers(numbers)
        } else if depth > 0, let container = try? decoder.container(keyedBy: Name.self) {
            self = .mapping(
                container.allKeys.map { key in
                    let value = try? container.superDecoder(forKey: key)
                    return Entry(key: key.stringValue, value: value.map { Self($0, depth: depth - 1) } ?? .other)
                })
        } else {
            self = .other
        }
    }

    /// The numbers of a list that holds nothing else; nil: it is not one.
    private static func numbers(_ decoder: any Decoder) -> [Double]? {
        guard var container = try? decoder.unkeyedContainer() else { return nil }
        var numbers: [Double] = []
        while !container.isAtEnd {
            // A decoder may read a text as a number.
            guard let number = try? container.decode(Double.self) else { return nil }
            numbers.append(number)
        }
        return numbers.isEmpty ? nil : numbers
    }

    /// Writes a scalar with the type that it was made from.
    package func encode(to encoder: any Encoder) throws {
        if let entries {
            var container = encoder.container(keyedBy: Name.self)
            for entry in entries { try container.encode(entry.value, forKey: Name(stringValue: entry.key)) }
            return
        }
        var container = encoder.singleValueContainer()
        if let list {
            try container.encode(list)
        } else if let whole {
            try container.encode(whole)
        } else if let number {
            try container.encode(number)
        } else if let flag = scalar?.flag {
            try container.encode(flag)
        } else if let text {
            try container.encode(text)
        } else {
            try container.encodeNil()
        }
    }
}

extension ConfigurationValue.Scalar {
    /// Every type that the decoder can read the value as; nil: it is not a scalar.
    fileprivate init?(_ decoder: any Decoder) {
        guard let container = try? decoder.singleValueContainer() else { return nil }
        isNull = container.decodeNil()
        text = try? container.decode(String.self)
        if !isNull {
            flag = try? container.decode(Bool.self)
            whole = try? container.decode(Int.self)
            number = try? container.decode(Double.self)
        }
        if !isNull, text == nil, flag == nil, number == nil, whole == nil { return nil }
    }
}
