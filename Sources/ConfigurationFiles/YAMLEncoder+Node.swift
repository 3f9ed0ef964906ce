import Foundation
import Yams

extension YAMLEncoder {
    /// The tree that a value is written as, with every digit of its numbers: Yams writes no more than 15 of a fraction.
    ///
    /// - Throws: Where the value cannot be encoded.
    func encodeNode(_ value: some Encodable) throws -> Node {
        let tree = try Yams.compose(yaml: encode(value)) ?? Node.mapping([:])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // JSON is YAML, but for control characters that a text may hold.
        let exact = try? Yams.compose(yaml: String(decoding: encoder.encode(value), as: UTF8.self))
        return exact.map { Self.node(tree, withNumbersOf: $0) } ?? tree
    }

    private static func node(_ tree: Node, withNumbersOf exact: Node) -> Node {
        if let mapping = tree.mapping {
            return Node.mapping(
                Node.Mapping(
                    mapping.map { key, value in (key, exact[key].map { node(value, withNumbersOf: $0) } ?? value) }))
        }
        guard tree.float != nil, exact.scalar?.style == .plain, exact.float != nil else { return tree }
        return exact
    }
}
