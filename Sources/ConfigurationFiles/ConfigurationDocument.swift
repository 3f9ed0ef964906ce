import FeatureModel

/// Documents about the keys of a configuration, written by `make schema` from the tables of keys.
package enum ConfigurationDocument: String, CaseIterable, Sendable {
    /// `Schemas/configuration.schema.json`.
    case schema
    /// The table in `Schemas/conventions.md`.
    case conventions

    package func text() throws -> String {
        switch self {
        case .schema: try Self.schema()
        case .conventions: try Self.table()
        }
    }

    private static func table() throws -> String {
        let head = "| key | default | values | |\n|---|---|---|---|\n"
        return try ConfigurationKeys.sections.reduce(into: head) { text, section in
            for (key, kinds) in section.rows {
                let name =
                    "`\(section.path).\(key.name)`" + (kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))")
                let cells = [name, try key.standardText().map { "`\($0)`" } ?? "", key.allowed, key.sentence]
                text += "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
            }
        }
    }

    private static func schema() throws -> String {
        let sections = ConfigurationKeys.sections
        let references = sections.filter(\.isTop).map { "    \"\($0.path)\": \(reference($0.path).text(indent: 0))" }
        return """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": "configuration.schema.json",
              "title": "A configuration of Veery, version \(FeatureConfiguration.formatVersion)",
              "description": "How the features of a clip are computed, as JSON or as YAML of the same structure: one section for each step, in the order of processing. A section or key that is missing or null has its default; null is itself a value where the default is null, and for audio.sample_rate. conventions.md has the formulas. What one key asks of another (transform.high above transform.low and at most half the sample rate, frame.fft_length at least frame.length, a scale.kind that the transform allows) is checked by the program. Written by 'make schema' from the program's tables of keys.",
              "type": ["object", "null"],
              "properties": {
                "version": {
                  "description": "Version of this format.",
                  "enum": [\(FeatureConfiguration.formatVersion), null],
                  "default": \(FeatureConfiguration.formatVersion)
                },
                "extends": {
                  "description": "A preset that the file starts from, in a file that --config names: what the file leaves out is as there, at the file's audio.sample_rate; another kind of transform or scale keeps the settings that both have. It is resolved before the other keys and is not stored. null: log-mel's values.",
                  "type": ["string", "null"],
                  "default": null
                },
            \(references.joined(separator: ",\n"))
              },
              "additionalProperties": false,
              "$defs": \(JSON.object(try sections.flatMap(definitions) + quantities).text(indent: 2))
            }

            """
    }

    private static func reference(_ name: String) -> JSON { .object([("$ref", .text("#/$defs/\(name)"))]) }

    /// The definitions of a section: one for each variant, and where there are several, one of them all.
    private static func definitions(of section: SectionDescription) throws -> JSON.Members {
        let variants: JSON.Members = try section.variants.map { variant in
            let required = variant.keys.filter { key in
                guard key.name == "kind", let standard = key.standard?.text else { return key.standard == nil }
                return !variant.kinds.contains(standard)
            }
            let isOptional = section.isTop && section.variants.count == 1
            let names = required.map { JSON.text($0.name) }
            return (
                variant.definition,
                .object(
                    [
                        ("description", .text(variant.sentence)),
                        ("type", isOptional ? .list([.text("object"), .text("null")]) : .text("object")),
                    ] + (names.isEmpty ? [] : [("required", .list(names))]) + [
                        ("properties", .object(try variant.keys.map { ($0.name, try property($0, of: variant)) })),
                        ("additionalProperties", .literal("false")),
                    ])
            )
        }
        guard section.variants.count > 1 else { return variants }
        var choices = section.variants.map { reference($0.definition) }
        if section.isShort {
            let short = section.variants.filter { $0.keys.count == 1 }.flatMap(\.kinds)
            choices.insert(.object([("enum", .list(short.map(JSON.text)))]), at: 0)
        }
        if section.isTop { choices.append(.object([("type", .text("null"))])) }
        let name = section.name
        return [(name, .object([("description", .text(section.sentence)), ("anyOf", .list(choices))]))] + variants
    }

    private static func property(_ key: KeyDescription, of variant: SectionDescription.Variant) throws -> JSON {
        var (form, standard) = (key.form, key.standard)
        if key.name == "kind" {
            form = .names(variant.kinds)
            if let kind = standard?.text, !variant.kinds.contains(kind) { standard = nil }
        }
        let sentence = key.sentence + (key.unit.isEmpty ? "" : " Unit: \(key.unit).")
        let members = members(of: form, isOptional: standard != nil)
        return .object(
            [("description", .text(sentence))] + members
                + (try standard.map { [("default", .literal(try ConfigurationText.json($0)))] } ?? []))
    }

    /// The members of a schema that allow the values of a form.
    private static func members(of form: ValueForm, isOptional: Bool) -> JSON.Members {
        func type(_ name: String) -> JSON { isOptional ? .list([.text(name), .text("null")]) : .text(name) }
        switch form {
        case .flag: return [("type", type("boolean"))]
        case .text: return [("type", type("string"))]
        case .names(let names): return [("enum", .list(names.map(JSON.text) + (isOptional ? [.null] : [])))]
        case .whole(let range):
            let upper: JSON.Members = range.upperBound == .max ? [] : [("maximum", .number(Double(range.upperBound)))]
            return [("type", type("integer")), ("minimum", .number(Double(range.lowerBound)))] + upper
        case .number(let range, let isOpenBelow):
            let upper: JSON.Members = range.upperBound.isFinite ? [("maximum", .number(range.upperBound))] : []
            return [
                ("type", type("number")), (isOpenBelow ? "exclusiveMinimum" : "minimum", .number(range.lowerBound)),
            ] + upper
        case .quantity(let quantity): return [("$ref", .text("#/$defs/\(quantity.rawValue)"))]
        case .section(let path): return either([reference(String(path.split(separator: ".").last ?? ""))], isOptional)
        case .either(let forms): return either(forms.map { .object(members(of: $0, isOptional: false)) }, isOptional)
        }
    }

    private static func either(_ forms: [JSON], _ isOptional: Bool) -> JSON.Members {
        [("anyOf", .list(forms + (isOptional ? [.object([("type", .text("null"))])] : [])))]
    }

    /// The texts that hold quantities.
    private static var quantities: JSON.Members {
        let number = #"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"#
        let hertz = number + #"(\s*([kK]|[kK]?[hH][zZ]))?"#
        func text(_ quantity: ValueForm.Quantity) -> (sentence: String, pattern: String) {
            switch quantity {
            case .frequency:
                (#"A frequency in Hz or kHz, such as "300 Hz", "7.6 kHz" or "16k"."#, #"^\s*\+?"# + hertz + #"\s*$"#)
            case .time:
                (
                    #"A time in ms or s, such as "3 s" or "400 ms"."#,
                    #"^\s*\+?(?=[0-9.]*[1-9])"# + number + #"\s*(ms|s)$"#
                )
            case .span:
                (
                    #"A time in ms or s of up to an hour, such as "25 ms", or samples as text. Where audio.sample_rate is "#
                        + "set, a time is stored as a number of samples, rounded as frame.rounding says.",
                    #"^\s*\+?(?=[0-9.]*[1-9])([0-9]+|"# + number + #"\s*(ms|s))$"#
                )
            case .edge:
                (
                    #"A frequency in Hz or kHz, or a number of bins from 0 to 1024, such as "300 Hz", "3.4k" or "20 bins"."#,
                    #"^\s*\+?("# + hertz + #"|[0-9]+\s*[bB][iI][nN][sS]?)\s*$"#
                )
            case .note: ("A note.", "^[A-Ga-g][#b]?(-0*[01]|0*([0-9]|10))$")
            }
        }
        return ValueForm.Quantity.allCases.map { quantity in
            let (sentence, pattern) = text(quantity)
            let members: JSON.Members = [
                ("description", .text(sentence)), ("type", .text("string")), ("pattern", .text(pattern)),
            ]
            return (quantity.rawValue, .object(members))
        }
    }
}

extension KeyDescription {
    /// The default as YAML, with its unit where it is a number; nil: the key must be given.
    package func standardText() throws -> String? {
        guard let standard else { return nil }
        return try ConfigurationText.yaml(standard) + (standard.number == nil || unit.isEmpty ? "" : " \(unit)")
    }
}

/// A JSON text, with the parts on a line each if they do not fit into one.
private indirect enum JSON {
    typealias Members = [(String, JSON)]

    case literal(String)
    case list([JSON])
    case object(Members)

    private static let width = 120

    static let null = literal("null")

    static func text(_ text: String) -> JSON {
        .literal("\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"")
    }

    static func number(_ number: Double) -> JSON { .literal(number.shortText) }

    /// The text, whose first line starts `indent` columns to the right.
    func text(indent: Int) -> String {
        guard inline.count + indent > Self.width else { return inline }
        let parts: [String]
        let inner = indent + 2
        switch self {
        case .literal: return inline
        case .list(let items): parts = items.map { $0.text(indent: inner) }
        case .object(let members): parts = members.map { "\"\($0.0)\": " + $0.1.text(indent: inner) }
        }
        let margin = "\n" + String(repeating: " ", count: inner)
        let (open, close) = (inline.prefix(1), inline.suffix(1))
        return open + margin + parts.joined(separator: "," + margin) + margin.dropLast(2) + close
    }

    private var inline: String {
        switch self {
        case .literal(let text): text
        case .list(let items): "[" + items.map(\.inline).joined(separator: ", ") + "]"
        case .object(let members): "{" + members.map { "\"\($0.0)\": \($0.1.inline)" }.joined(separator: ", ") + "}"
        }
    }
}
