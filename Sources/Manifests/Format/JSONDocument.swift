import FeatureModel

/// One JSON document that holds rows: an array of objects, an object that has such an array, or one whose values are objects.
package struct JSONDocument: Hashable, Sendable {
    /// What jq prints the rows with.
    private let filter: String

    static let array = JSONDocument(filter: ".[]")

    private init(filter: String) { self.filter = filter }

    /// - Parameter start: The start of a text, which may be cut off.
    /// - Returns: Nil where it is not an object that holds rows.
    init?(_ start: UnsafeBufferPointer<UInt8>) {
        var scanner = JSONScanner(start)
        guard scanner.take("{") else { return nil }
        var (objects, others) = (0, 0)
        repeat {
            var (name, value): ([UInt8], [UInt8]) = ([], [])
            guard (try? scanner.takeString(into: &name)) != nil, scanner.take(":") else { break }
            switch scanner.peek() {
            case UInt8(ascii: "["):
                var elements = scanner
                if elements.take("["), elements.peek() == UInt8(ascii: "{") {
                    self.init(filter: Self.member(String(decoding: name, as: UTF8.self)) + "[]")
                    return
                }
                others += 1
            case UInt8(ascii: "{"): objects += 1
            default: others += 1
            }
            guard (try? scanner.takeValue(into: &value)) != nil else { break }
        } while scanner.take(",")
        guard objects > 0, others == 0 else { return nil }
        self.init(filter: "to_entries[] | {id: .key} + .value")
    }

    private static func member(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "_": true
            default: false
            }
        }
        return isPlain && !name.isEmpty ? ".\(name)" : ".[\(JSONText.quoted(name))]"
    }

    /// `such as by:` and the command that writes the rows as JSON Lines.
    package func advice(_ text: StoredText) -> String {
        text.advice("jq -c \(ShellText.word(filter))", to: "manifest.jsonl")
    }
}
