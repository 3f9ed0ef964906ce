import FeatureModel
import Yams

/// YAML to values. Length and aliases are limited: Yams follows aliases of aliases without end.
enum YAMLText {
    /// Maximum number of aliases (`*name`): each may repeat all text before it, so that 32 expand to about 100,000 values.
    static let maximumAliases = 32

    /// Why a text is not YAML, in a line.
    struct Problem: Error {
        let reason: String
    }

    /// The value of a text; nil: it is empty.
    static func value(_ text: String) throws(Problem) -> ConfigurationValue? {
        try checked(text, ConfigurationFile.maximumLength) {
            try Yams.compose(yaml: text).map { node in
                try refuseTags(node)
                return try YAMLDecoder().decode(from: node)
            }
        }
    }

    /// The nodes of a text; nil: it is empty.
    static func node(_ text: String, maximum: Int) throws(Problem) -> Node? {
        try checked(text, maximum) { try Yams.compose(yaml: text) }
    }

    /// What `body` makes of a text that is not too long.
    private static func checked<Value>(_ text: String, _ maximum: Int, _ body: () throws -> Value?) throws(Problem)
        -> Value?
    {
        guard text.utf8.count <= maximum else {
            throw Problem(reason: "at most \(maximum) bytes are accepted, found \(text.utf8.count)")
        }
        guard aliases(in: text) <= maximumAliases else {
            throw Problem(reason: "expected at most \(maximumAliases) aliases (*name), found more")
        }
        do {
            return try body()
        } catch let problem as Problem {
            throw problem
        } catch let error as YamlError {
            throw Problem(reason: reason(error))
        } catch {
            throw Problem(reason: "\(error)".excerpt)
        }
    }

    /// The tags of YAML's own values.
    private static let tags: Set<Tag.Name> = [.str, .int, .float, .bool, .null, .seq, .map, .merge, .timestamp, .value]

    /// Refuses values with a tag of another program, such as `!!python/tuple`, which would be read without it.
    private static func refuseTags(_ node: Node) throws(Problem) {
        guard tags.contains(Tag.Name(rawValue: node.tag.rawValue)) else {
            throw Problem(
                reason:
                    "\(node.mark.map { "line \($0.line): " } ?? "")expected a value without a tag of another program, found "
                    + "'\(node.tag.rawValue.excerpt)'")
        }
        switch node {
        case .scalar, .alias: break
        case .sequence(let items): for item in items { try refuseTags(item) }
        case .mapping(let pairs):
            for (key, value) in pairs {
                try refuseTags(key)
                try refuseTags(value)
            }
        }
    }

    /// The number of possible aliases: asterisks before a letter or digit where a value may start, outside comment lines.
    private static func aliases(in text: String) -> Int {
        var count = 0
        for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let content = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard content.first != UInt8(ascii: "#") else { continue }
            var previous = UInt8(ascii: " ")
            var isAfterStar = false
            for byte in content {
                if isAfterStar, isName(byte) { count += 1 }
                isAfterStar = byte == UInt8(ascii: "*") && !isName(previous)
                previous = byte
            }
        }
        return count
    }

    /// Whether a byte is a letter, a digit, - or _.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// What is wrong, and where, without the text itself, which Yams repeats.
    private static func reason(_ error: YamlError) -> String {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            return "line \(mark.line), column \(mark.column): \(context.map { "\($0.text): " } ?? "")\(problem)"
        case .reader(let problem, _, _, _): return "a character that YAML does not allow: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            let named = duplicates.prefix(3).map { "'\($0.excerpt)'" }.joined(separator: ", ")
            let others = duplicates.count > 3 ? " and \(duplicates.count - 3) others" : ""
            return "line \(context.mark.line): duplicate key: \(named)\(others)"
        default: return "\(error)".excerpt
        }
    }
}
