import Essentials
import FeatureModel
import Yams

package enum ConfigurationText {
    /// YAML that `ConfigurationSource` reads back: a line for each section, in the order of processing.
    package static func yaml(_ configuration: FeatureConfiguration) throws -> String {
        let sections = configuration.value.entries ?? []
        let width = sections.map(\.key.count).max() ?? 0
        return try sections.map { section in
            let padding = section.value.entries == nil ? 1 : width - section.key.count + 1
            return "\(section.key):\(String(repeating: " ", count: padding))\(try yaml(section.value))\n"
        }.joined()
    }

    /// Compact JSON with sorted keys: equal configurations give equal texts.
    package static func json(_ configuration: FeatureConfiguration) throws -> String {
        try configuration.value.sortedJSON()
    }

    /// A mapping in one line, or a scalar; numbers are in a form that YAML 1.1 readers such as PyYAML accept: 1.0e-10, not 1e-10.
    package static func yaml(_ value: ConfigurationValue) throws -> String {
        if let entries = value.entries {
            return "{\(try entries.map { "\($0.key): \(try yaml($0.value))" }.joined(separator: ", "))}"
        }
        if let list = value.list {
            return "[\(try list.map { try yaml(.number($0)) }.joined(separator: ", "))]"
        }
        if let text = value.text { return isPlain(text) ? text : try ConfigurationValue.text(text).sortedJSON() }
        if let whole = value.whole { return "\(whole)" }
        guard let number = value.number else { return value.scalar?.flag.map { "\($0)" } ?? "null" }
        let digits = number.shortText
        return digits.contains(".") ? digits : digits.replacing("e", with: ".0e")
    }

    /// Whether a text needs no quotation marks: it has only letters, digits, - and _, and YAML reads it as a text.
    private static func isPlain(_ text: String) -> Bool {
        // A hyphen is an item of a list, three end a document.
        text.utf8.allSatisfy(YAMLText.isName) && text != "-" && !text.hasPrefix("---")
            && Resolver.default.resolveTag(of: Node(text)) == .str
    }
}

extension KeyDescription {
    /// The default as YAML, with its unit where it is a number; nil: the key must be given.
    package func standardText() throws -> String? {
        guard let standard else { return nil }
        return try ConfigurationText.yaml(standard) + (standard.number == nil || unit.isEmpty ? "" : " \(unit)")
    }
}
