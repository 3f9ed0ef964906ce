/// Text without characters that a terminal interprets.
///
/// Names from manifests, files and folders may contain escape sequences that move the cursor, set the title or colour the rest of
/// the session, and marks that change the direction of writing. All output is cleaned here; names are cleaned earlier where a line
/// break in a name would make it look like a line of the report.
package enum TerminalText {
    /// The text with white space of any kind as a space, and controls (C0, DEL, C1) and marks of the direction of writing as �.
    ///
    /// - Parameter isKept: Scalars that are not replaced.
    package static func cleaned(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        guard text.unicodeScalars.contains(where: { $0.actsOnTerminal && !isKept($0) }) else { return text }
        return text.mapScalars { scalar in
            let isShown = !scalar.actsOnTerminal || isKept(scalar)
            return isShown ? scalar : scalar.properties.isWhitespace ? " " : "\u{FFFD}"
        }
    }

    /// The cleaned text with the program's own colours: `ESC [ n m` with the codes of `ReportStyle.Role` is kept.
    ///
    /// - Precondition: names in the text are clean, or they could contain such colours.
    package static func cleaned(styled text: String) -> String {
        let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false).map(String.init)
        var result = cleaned(parts[0]) { $0 == "\n" }
        for part in parts.dropFirst() {
            let isOwn = ReportStyle.codes.contains { part.hasPrefix("[\($0)m") }
            result += (isOwn ? "\u{1B}" : "\u{FFFD}") + cleaned(part) { $0 == "\n" }
        }
        return result
    }

    /// JSON with such characters as escapes like `\u009b`, which a parser reads as the same value.
    package static func escaped(json: String) -> String {
        guard json.unicodeScalars.contains(where: { $0.actsOnTerminal && $0 != "\n" }) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar.actsOnTerminal, scalar != "\n" {
                result += "\\u" + Int(scalar.value).padded(to: 4, radix: 16)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may interpret the scalar. All such scalars are below U+10000.
    fileprivate var actsOnTerminal: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return turnsWriting
        default: return false
        }
    }
}

extension String {
    /// The text as a page shows it: controls as their pictures (␊ for a line break), � for noncharacters, and without marks of the
    /// direction of writing.
    package var visible: String {
        mapScalars { scalar in
            switch scalar.value {
            case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
            case 0x7F: "\u{2421}"
            case 0x80..<0xA0: "\u{FFFD}"
            case 0x200E, 0x200F: nil
            case _ where scalar.turnsWriting: nil
            default: scalar.isNoncharacter ? "\u{FFFD}" : scalar
            }
        }
    }

    /// The text as Cairo can draw it: controls (line breaks, tabs, nulls) as spaces, and � for noncharacters, with which Cairo
    /// rejects a string.
    package var drawable: String {
        guard unicodeScalars.contains(where: { $0.isControl || $0.isNoncharacter }) else { return self }
        return mapScalars { $0.isControl ? " " : $0.isNoncharacter ? "\u{FFFD}" : $0 }
    }

    /// The text with each scalar replaced, or left out for nil.
    package func mapScalars(_ replacement: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        String(UnicodeScalarView(unicodeScalars.compactMap(replacement)))
    }

    /// The text on one line, without control characters (`TerminalText`).
    package var printable: String { TerminalText.cleaned(self) }
}

extension Unicode.Scalar {
    var isControl: Bool { properties.generalCategory == .control }

    /// Whether it embeds, overrides or isolates a direction of writing.
    var turnsWriting: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

    /// Whether Unicode reserves it as no character.
    var isNoncharacter: Bool { (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE }
}
