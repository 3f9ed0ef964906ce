import FeatureModel
import Yams

/// YAML to values as PyYAML reads them: by version 1.1, where `1e-05` is a text.
enum ModelYAML {
    private static let maximumLength = 8 << 20
    private static let maximumDepth = 64

    /// The value of a text; null where it is empty.
    static func value(_ text: String) throws(YAMLText.Problem) -> JSONValue {
        guard let node = try YAMLText.node(text, maximum: maximumLength) else { return .null }
        return try value(node, depth: 0)
    }

    private static func value(_ node: Node, depth: Int) throws(YAMLText.Problem) -> JSONValue {
        guard depth < maximumDepth else {
            throw YAMLText.Problem(reason: "expected at most \(maximumDepth) levels, found more")
        }
        switch node {
        case .scalar(let scalar): return Self.scalar(scalar)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: [JSONValue.Member] = []
            for (key, inner) in mapping {
                guard let name = key.scalar?.string else {
                    throw YAMLText.Problem(reason: "expected a text as the name of each field")
                }
                members.append(.init(name: name, value: try value(inner, depth: depth + 1)))
            }
            return .object(members)
        case .alias: throw YAMLText.Problem(reason: "an alias (*name) without its anchor")
        }
    }

    private static func scalar(_ scalar: Node.Scalar) -> JSONValue {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return .boolean(true)
        case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return .boolean(false)
        default: return isNumber(text) ? .number(text) : .string(text)
        }
    }

    /// Whether a plain text is a decimal number of YAML 1.1: with an exponent, it has a point, and the exponent a sign.
    private static func isNumber(_ text: String) -> Bool {
        var digits = text.utf8[...]
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            digits = digits.dropFirst()
        }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let whole = digits.prefix(while: isDigit)
        digits = digits[whole.endIndex...]
        guard digits.first == UInt8(ascii: ".") else {
            // A leading zero makes an octal number.
            return digits.isEmpty && !whole.isEmpty && (whole.count == 1 || whole.first != UInt8(ascii: "0"))
        }
        digits = digits.dropFirst()
        let fraction = digits.prefix(while: isDigit)
        digits = digits[fraction.endIndex...]
        guard !whole.isEmpty || !fraction.isEmpty else { return false }
        guard let mark = digits.first else { return true }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
        digits = digits.dropFirst()
        guard let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else { return false }
        digits = digits.dropFirst()
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }
}
