import Foundation
import TestSupport
import Testing

/// `Schemas/configuration.schema.json`, as far as the tests look into it.
struct ConfigurationSchema {
    typealias Object = [String: Any]

    /// The properties at the top.
    let sections: Object
    /// The definitions.
    let definitions: Object

    init() throws {
        let url = Fixtures.repository.appending(path: "Schemas/configuration.schema.json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? Object)
        #expect(document["additionalProperties"] as? Bool == false)
        sections = try #require(document["properties"] as? Object)
        definitions = try #require(document["$defs"] as? Object)
    }

    /// The properties of a definition, which has to be closed.
    func properties(_ name: String) throws -> Object {
        let found = try #require(definitions[name] as? Object, "\(name)")
        #expect(found["additionalProperties"] as? Bool == false, "\(name)")
        return try #require(found["properties"] as? Object, "\(name)")
    }

    /// A property of a definition, or what it refers to.
    func property(_ key: String, of name: String) throws -> Object {
        resolved(try #require(try properties(name)[key] as? Object, "\(name).\(key)"))
    }

    /// The names that a property may have.
    func names(_ key: String, of name: String) throws -> [String] {
        let values = try #require(try property(key, of: name)["enum"] as? [Any], "\(name).\(key)")
        return values.compactMap { $0 as? String }
    }

    /// The pattern of a property's texts.
    func pattern(_ key: String, of name: String) throws -> String? {
        forms(try property(key, of: name)).compactMap { $0["pattern"] as? String }.first
    }

    /// The range of a property's numbers; nil: it has none.
    func range(_ key: String, of name: String) throws -> SchemaRange? {
        forms(try property(key, of: name)).compactMap(SchemaRange.init).first
    }

    /// What a property may look like.
    private func forms(_ property: Object) -> [Object] {
        guard let forms = property["anyOf"] as? [Object] else { return [property] }
        return forms.flatMap { self.forms(resolved($0)) }
    }

    private func resolved(_ schema: Object) -> Object {
        guard let reference = schema["$ref"] as? String else { return schema }
        return definitions[String(reference.dropFirst("#/$defs/".count))] as? Object ?? [:]
    }
}
