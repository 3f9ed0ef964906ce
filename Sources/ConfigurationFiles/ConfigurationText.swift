import FeatureModel
import Foundation
import Yams

/// A configuration as text.
package enum ConfigurationText {
    /// YAML that `ConfigurationSource` reads back: a line for each section, in the order of the data's way.
    ///
    /// - Throws: Where the configuration cannot be encoded, which a test rules out.
    package static func yaml(_ configuration: FeatureConfiguration) throws -> String {
        let root = try YAMLEncoder().encodeNode(configuration)
        let sections = root.mapping.map(Array.init) ?? []
        let width = sections.compactMap { $0.key.string?.count }.max() ?? 0
        return try sections.map { key, value in
            let name = key.string ?? ""
            let padding = value.mapping == nil ? " " : String(repeating: " ", count: width - name.count + 1)
            return "\(name):\(padding)\(try text(of: value))\n"
        }.joined()
    }

    /// Compact JSON with sorted keys: equal configurations give equal texts.
    ///
    /// - Throws: Where the configuration cannot be encoded, which a test rules out.
    package static func json(_ configuration: FeatureConfiguration) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(configuration), as: UTF8.self)
    }

    /// A mapping in one line, or a scalar in a form that YAML 1.1 readers such as PyYAML also take for a number: 1.0e-10,
    /// not 1e-10.
    private static func text(of node: Node) throws -> String {
        if let mapping = node.mapping {
            let members = try mapping.map { "\($0.key.string ?? ""): \(try Self.text(of: $0.value))" }
            return "{\(members.joined(separator: ", "))}"
        }
        let text = node.string ?? ""
        guard node.scalar?.style == .plain else { return try quoted(text) }
        if node.null != nil { return "null" }
        if let number = node.float, node.int == nil, node.bool == nil {
            if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
            let digits = "\(number)"
            guard digits.contains("e"), !digits.contains(".") else { return digits }
            return digits.replacingOccurrences(of: "e", with: ".0e")
        }
        return text.utf8.allSatisfy(isPlain) ? text : try quoted(text)
    }

    /// Letters, digits, - and _: what never means anything but itself, at any place of a mapping.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// A text in quotes as JSON has them, which YAML has too.
    private static func quoted(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}
