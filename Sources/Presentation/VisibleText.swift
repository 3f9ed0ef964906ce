extension String {
    /// The text as a page shows it: controls as their pictures (␊ for a line break), � for noncharacters, and without marks of the
    /// direction of writing.
    package var visible: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: result.append("\u{2421}")
            case 0x80..<0xA0: result.append("\u{FFFD}")
            case 0x200E, 0x200F: continue
            case _ where scalar.turnsWriting: continue
            default: result.append(scalar.isNoncharacter ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// The text as Cairo can draw it: controls (line breaks, tabs, nulls) as spaces, and � for noncharacters, with which Cairo
    /// rejects a string.
    package var drawable: String {
        guard unicodeScalars.contains(where: { $0.isControl || $0.isNoncharacter }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar.isControl ? " " : scalar.isNoncharacter ? "\u{FFFD}" : scalar)
        }
        return result
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
