import FeatureModel

/// A list of texts in a cell: of JSON, or as Python prints one, such as `['a', "b's"]`.
enum ListText {
    /// The texts of the list; nil if the text is not a list, or has other values than texts, numbers, `true` and `false`.
    ///
    /// - Parameter takesNull: Whether `null` is an empty text.
    static func names(_ text: some Collection<UInt8>, takesNull: Bool = false) -> [String]? {
        let text = Array(text)[...].trimmingBlanks
        guard text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else { return nil }
        guard let elements = JSONValue(json: text)?.elements else { return pythonNames(text.dropFirst().dropLast()) }
        var names: [String] = []
        for element in elements {
            switch element {
            case .string, .number, .boolean: names.append(element.text)
            case .null where takesNull: names.append("")
            case .null, .array, .object: return nil
            }
        }
        return names
    }

    /// Texts between commas, each in quotation marks of one kind or the other; `\` may precede a mark and itself.
    private static func pythonNames(_ text: ArraySlice<UInt8>) -> [String]? {
        var names: [String] = []
        var rest = text.trimmingBlanks
        while !rest.isEmpty {
            guard let name = takePythonText(&rest) else { return nil }
            names.append(name)
            rest = rest.trimmingBlanks
            guard !rest.isEmpty else { break }
            guard rest.removeFirst() == Byte.comma else { return nil }
            rest = rest.trimmingBlanks
            guard !rest.isEmpty else { return nil }
        }
        return names
    }

    private static func takePythonText(_ rest: inout ArraySlice<UInt8>) -> String? {
        let marks = [Byte.quote, UInt8(ascii: "'")]
        guard let mark = rest.popFirst(), marks.contains(mark) else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == mark { return String(decoding: text, as: UTF8.self) }
            guard byte == Byte.backslash else {
                text.append(byte)
                continue
            }
            guard let escaped = rest.popFirst(), escaped == Byte.backslash || marks.contains(escaped) else {
                return nil
            }
            text.append(escaped)
        }
        return nil
    }
}
