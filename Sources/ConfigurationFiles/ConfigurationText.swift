import FeatureModel
import Foundation
import Yams

/// A configuration as text.
package enum ConfigurationText {
    /// YAML that `ConfigurationSource` reads back: a line for each section, in the order of the data's way.
    ///
    /// - Throws: Where the configuration cannot be encoded, which a test rules out.
    package static func yaml(_ configuration: FeatureConfiguration) throws -> String {
        let root = try Yams.compose(yaml: YAMLEncoder().encode(configuration))
        let sections = root?.mapping.map(Array.init) ?? []
        let width = sections.compactMap { $0.key.string?.count }.max() ?? 0
        return sections.map { key, value in
            let name = key.string ?? ""
            guard let mapping = value.mapping else { return "\(name): \(text(of: value))\n" }
            let padding = String(repeating: " ", count: width - name.count + 1)
            let values = mapping.map { "\($0.key.string ?? ""): \(text(of: $0.value))" }
            return "\(name):\(padding){\(values.joined(separator: ", "))}\n"
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

    /// A scalar in a form that YAML 1.1 readers such as PyYAML also take for a number: 1.0e-10, not 1e-10.
    private static func text(of node: Node) -> String {
        if node.null != nil { return "null" }
        if let number = node.float, node.int == nil, node.bool == nil {
            if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
            let text = "\(number)"
            guard text.contains("e"), !text.contains(".") else { return text }
            return text.replacingOccurrences(of: "e", with: ".0e")
        }
        let text = node.string ?? ""
        return text.contains(" ") || text.isEmpty ? "\"\(text)\"" : text
    }
}
