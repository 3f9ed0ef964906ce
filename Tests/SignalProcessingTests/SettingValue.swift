/// A value of a configuration in a golden file or a test: what JSON can say.
enum SettingValue: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case section([String: SettingValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .section(try container.decode([String: SettingValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .section(let section): try container.encode(section)
        }
    }

    /// Puts a value where a path such as `frame.align` leads; a key that is new is added.
    mutating func set(_ path: ArraySlice<String>, to value: SettingValue) {
        guard let key = path.first else {
            self = value
            return
        }
        var keys: [String: SettingValue] = if case .section(let keys) = self { keys } else { [:] }
        var inner = keys[key] ?? .null
        inner.set(path.dropFirst(), to: value)
        keys[key] = inner
        self = .section(keys)
    }
}

extension SettingValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }
    init(dictionaryLiteral elements: (String, SettingValue)...) {
        self = .section(Dictionary(elements) { _, last in last })
    }
}
