import Foundation
import TestSupport

@testable import veery

/// A JSON Schema of the folder `Schemas`, as far as those use the language.
struct Schema {
    typealias Object = [String: Any]

    private let document: Object

    init(_ name: String) throws {
        let url = Fixtures.repository.appending(path: "Schemas/\(name).schema.json")
        document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? Object ?? [:]
    }

    private var definitions: Object { document["$defs"] as? Object ?? [:] }

    /// The names of a definition's properties; nil: of the whole.
    func properties(_ definition: String? = nil) -> Set<String> {
        let schema = definition.map { definitions[$0] as? Object ?? [:] } ?? document
        return Set((schema["properties"] as? Object ?? [:]).keys)
    }

    /// What a value has against the schema; nothing: it is valid.
    func problems(_ value: some Encodable) throws -> [String] {
        let json = try JSONSerialization.jsonObject(
            with: JSONEncoder.reports([]).encode(value), options: .fragmentsAllowed)
        return try problems(json: json)
    }

    func problems(json: Any) throws -> [String] {
        try problems(json, document, "")
    }

    private func problems(_ value: Any, _ schema: Object, _ path: String) throws -> [String] {
        if let reference = schema["$ref"] as? String {
            guard reference.hasPrefix("#/$defs/") else {
                let parts = reference.split(separator: "#/$defs/").map(String.init)
                let other = try Schema(String(parts[0].dropLast(".schema.json".count)))
                return try other.problems(
                    value, parts.count > 1 ? other.definitions[parts[1]] as? Object ?? [:] : other.document, path)
            }
            guard let target = definitions[String(reference.dropFirst(8))] as? Object else {
                return ["no \(reference)"]
            }
            return try problems(value, target, path)
        }
        var found: [String] = []
        for (key, least, most) in [("anyOf", 1, Int.max), ("oneOf", 1, 1)] {
            guard let forms = schema[key] as? [Object] else { continue }
            let all = try forms.map { try problems(value, $0, path) }
            let valid = all.count { $0.isEmpty }
            if valid < least || valid > most {
                found.append("\(path): \(valid) forms: \(all.joined().joined(separator: "; "))")
            }
        }
        if let names = schema["enum"] as? [Any], !names.contains(where: { "\($0)" == "\(value)" }) {
            found.append("\(path): \(value) is none of \(names)")
        }
        if let type = schema["type"] {
            let types = type as? [String] ?? [type as? String ?? ""]
            if !types.contains(where: { Self.is(value, $0) }) { found.append("\(path): \(value) is not \(types)") }
        }
        if let text = value as? String, let pattern = schema["pattern"] as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            found.append("\(path): '\(text)' is not \(pattern)")
        }
        if let number = value as? Double {
            let least = schema["minimum"] as? Double ?? -.infinity
            let beyond = schema["exclusiveMinimum"] as? Double ?? -.infinity
            let most = schema["maximum"] as? Double ?? .infinity
            if number < least || number <= beyond || number > most {
                found.append("\(path): \(number) is out of range")
            }
        }
        if let values = value as? [Any], let items = schema["items"] as? Object {
            for (index, item) in values.enumerated() { found += try problems(item, items, "\(path)[\(index)]") }
        }
        if let members = value as? Object { found += try problems(members: members, schema, path) }
        return found
    }

    private func problems(members: Object, _ schema: Object, _ path: String) throws -> [String] {
        var found: [String] = []
        let properties = schema["properties"] as? Object ?? [:]
        let patterns = schema["patternProperties"] as? Object ?? [:]
        for name in schema["required"] as? [String] ?? [] where members[name] == nil {
            found.append("\(path).\(name) is missing")
        }
        for (name, value) in members {
            let pattern = patterns.first { name.range(of: $0.key, options: .regularExpression) != nil }
            if let property = properties[name] ?? pattern?.value {
                found += try problems(value, property as? Object ?? [:], "\(path).\(name)")
            } else if let others = schema["additionalProperties"] as? Object {
                found += try problems(value, others, "\(path).\(name)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(path).\(name) is not known")
            }
        }
        return found
    }

    private static func `is`(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "null": value is NSNull
        case "object": value is Object
        case "array": value is [Any]
        case "string": value is String
        case "boolean": value is Bool
        case "integer": (value as? Double).map { $0 == $0.rounded() } ?? false
        case "number": value is Double
        default: false
        }
    }
}
