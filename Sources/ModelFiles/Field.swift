import FeatureModel

/// A field of a class: what it may hold, its default, and what it does.
struct Field: Sendable {
    enum Kind: Sendable {
        case whole, number, flag, text
        /// Any value: of fields without effect, and of those that are read as they are.
        case any
    }

    enum Effect: Sendable {
        /// The value becomes that of these keys.
        case sets([String])
        /// Read together with others, by the class.
        case part
        /// Nothing in the features depends on it; why.
        case unused(String)
        /// Any other value than the default has an effect that cannot be computed; what it would do.
        case only(String)
        /// Noise, which is not added.
        case dither
    }

    let name: String
    let kind: Kind
    /// The value where the file has none; null where that is the constructor's default.
    let standard: ConfigurationValue
    let effect: Effect

    /// Whether null is a value.
    var isOptional: Bool { standard.isNull || kind == .any }
}

extension Field {
    static func whole(_ name: String, _ standard: Int?, _ keys: String...) -> Field {
        Field(
            name: name, kind: .whole, standard: standard.map { .whole($0) } ?? .null,
            effect: keys.isEmpty ? .part : .sets(keys))
    }

    static func number(_ name: String, _ standard: Double?, _ keys: String...) -> Field {
        Field(
            name: name, kind: .number, standard: standard.map { .measure($0) } ?? .null,
            effect: keys.isEmpty ? .part : .sets(keys))
    }

    static func flag(_ name: String, _ standard: Bool, _ keys: String...) -> Field {
        Field(name: name, kind: .flag, standard: .flag(standard), effect: keys.isEmpty ? .part : .sets(keys))
    }

    static func text(_ name: String, _ standard: String?) -> Field {
        Field(name: name, kind: .text, standard: standard.map { .text($0) } ?? .null, effect: .part)
    }

    /// A field whose value is read as it is: a list, a mapping, or one of several kinds.
    static func any(_ name: String, _ standard: ConfigurationValue = .null) -> Field {
        Field(name: name, kind: .any, standard: standard, effect: .part)
    }

    /// Fields without effect, and why.
    static func unused(_ names: String, _ reason: String) -> [Field] {
        names.split(separator: " ").map {
            Field(name: String($0), kind: .any, standard: .null, effect: .unused(reason))
        }
    }

    /// A field of which one value can be computed, and what another would do.
    static func only(_ name: String, _ standard: ConfigurationValue, _ reason: String) -> Field {
        let kind: Kind =
            standard.isNull ? .any : standard.text != nil ? .text : standard.scalar?.flag != nil ? .flag : .number
        return Field(name: name, kind: kind, standard: standard, effect: .only(reason))
    }

    static func dither(_ standard: Double, _ name: String = "dither") -> Field {
        Field(name: name, kind: .number, standard: .measure(standard), effect: .dither)
    }
}

extension ConfigurationValue {
    /// A number, without a fraction where it is whole.
    static func measure(_ number: Double) -> Self {
        Int(exactly: number).map { .whole($0) } ?? .number(number)
    }
}
