/// Text that a terminal shows and does not obey.
///
/// The one place that decides what may go to a person's screen. Names come from manifests, files and folders, and may hold
/// anything: escape sequences that move the cursor, set the title or colour the rest of the session, and marks that turn the
/// direction of writing. `Console` sends everything through here; what a text is made of is cleaned as well where a line break in
/// it would forge a line.
enum TerminalText {
    /// The text without what would act on a terminal: white space of any kind becomes a space; controls (C0, DEL, C1) and what
    /// turns the direction of writing, �.
    ///
    /// - Parameter isKept: Scalars that stay though they act.
    static func cleaned(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        guard text.unicodeScalars.contains(where: { $0.actsOnTerminal && !isKept($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isShown = !scalar.actsOnTerminal || isKept(scalar)
            result.append(isShown ? scalar : scalar.properties.isWhitespace ? " " : "\u{FFFD}")
        }
        return String(result)
    }

    /// The same for a text with the program's own colours: `ESC [ n m` with the codes of `ReportStyle.Role` stays.
    ///
    /// - Precondition: what was put into the text is clean already, or it might hold such colours of its own.
    static func cleaned(styled text: String) -> String {
        let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false).map(String.init)
        var result = cleaned(parts[0]) { $0 == "\n" }
        for part in parts.dropFirst() {
            let isOwn = ReportStyle.codes.contains { part.hasPrefix("[\($0)m") }
            result += (isOwn ? "\u{1B}" : "\u{FFFD}") + cleaned(part) { $0 == "\n" }
        }
        return result
    }

    /// JSON with what would act on a terminal as escapes, `\u009b`: the same value to whoever reads it.
    static func escaped(json: String) -> String {
        guard json.unicodeScalars.contains(where: { $0.actsOnTerminal && $0 != "\n" }) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar.actsOnTerminal, scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension String {
    /// The text on one line, without what would act on a terminal.
    var printable: String { TerminalText.cleaned(self) }
}

extension Unicode.Scalar {
    /// Whether a terminal may do something else with it than to show it. All such lie below U+10000.
    fileprivate var actsOnTerminal: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        default: return false
        }
    }
}
