import FeatureModel

extension Reading {
    /// The value of a field in a file, of the field's type.
    func value(_ json: JSONValue, of field: Field) throws(ModelFileError) -> ConfigurationValue {
        if json == .null, field.isOptional { return .null }
        let notation = row.format.notation
        func wrong(_ expected: String) -> ModelFileError {
            .invalid(
                field: full(field.name), found: json.shown, expected: expected + (field.isOptional ? ", or null" : ""))
        }
        switch field.kind {
        case .any: return json.scalar ?? .other
        case .text:
            guard let text = json.string else { throw wrong("a text") }
            return .text(text)
        case .flag:
            if case .boolean(let flag) = json { return .flag(flag) }
            let words = ["true": true, "t": true, "false": false, "f": false]
            guard notation == .words, let flag = words[json.string?.lowercased() ?? ""] else {
                throw wrong("true or false")
            }
            return .flag(flag)
        case .whole, .number:
            let digits: String
            switch json {
            case .number(let text): digits = text
            case .string(let text) where notation == .words || notation == .omegaConf: digits = text
            case .string(let text) where notation == .yaml && Double(text) != nil:
                throw wrong(
                    "a number: this is a text in YAML 1.1, where a number with an exponent has a point (1.0e-05)")
            default: throw wrong(field.kind == .whole ? "a whole number" : "a number")
            }
            guard let number = Double(digits), number.isFinite else { throw wrong("a finite number") }
            guard field.kind == .whole else { return .measure(number) }
            guard let whole = Int(exactly: number) else { throw wrong("a whole number") }
            return .whole(whole)
        }
    }
}

extension JSONValue {
    /// The value for a message.
    var shown: String {
        switch self {
        case .string(let text): "'\(text.excerpt)'"
        case .null: "null"
        case .array(let elements): "a list of \(elements.count)"
        case .object: "a mapping"
        case .number, .boolean: text.excerpt
        }
    }

    /// The value as one of a configuration; nil: a list or a mapping.
    var scalar: ConfigurationValue? {
        switch self {
        case .string(let text): .text(text)
        case .number: number.map { .measure($0) }
        case .boolean(let flag): .flag(flag)
        case .null: .null
        case .array, .object: nil
        }
    }
}

extension ConfigurationValue {
    /// The value for a message, and as `--set` has it.
    package var shown: String {
        if let list { return "[\(list.count) numbers]" }
        guard let scalar else { return "…" }
        if scalar.isNull { return "null" }
        return text ?? whole.map { "\($0)" } ?? number?.shortText ?? scalar.flag.map { "\($0)" } ?? "…"
    }
}
