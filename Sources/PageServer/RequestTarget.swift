import PageRequests

/// The path and query of a request, decoded once.
struct RequestTarget: Hashable, Sendable {
    let path: [String]
    let query: [PageRequest.QueryItem]

    /// - Returns: Nil unless it is a slash and what follows, without anything that a file system or another program could read as
    ///   another path: `..`, backslashes, control characters, empty parts, and the same in percent signs.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let visible = UInt8(ascii: "!")...UInt8(ascii: "~")
        guard bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ visible.contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
        else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let components = parts[0].dropFirst()
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: parts[0].count == 1)
            .map { Self.decoded($0, plusIsSpace: false) }
        path = components.compactMap(\.self)
        guard path.count == components.count, path.allSatisfy(Self.isPlain) else { return nil }
        guard parts.count > 1 else {
            query = []
            return
        }
        let items = parts[1].split(separator: UInt8(ascii: "&")).map(Self.item)
        query = items.compactMap(\.self)
        guard query.count == items.count else { return nil }
    }

    private static func isPlain(_ component: String) -> Bool {
        !["", ".", ".."].contains(component) && !component.unicodeScalars.contains { "/\\".unicodeScalars.contains($0) }
    }

    private static func item(_ bytes: ArraySlice<UInt8>) -> PageRequest.QueryItem? {
        let sides = bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = decoded(sides[0], plusIsSpace: true),
            let value = decoded(sides.count > 1 ? sides[1] : [], plusIsSpace: true)
        else { return nil }
        return PageRequest.QueryItem(name: name, value: value)
    }

    /// The text that percent signs stand for; nil if it is not UTF-8, or has control characters.
    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        guard let text = String(validating: result, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
