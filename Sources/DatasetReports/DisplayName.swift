/// A label, an id or a path as the page shows it: any text that a manifest may hold.
enum DisplayName {
    /// The most characters that are shown.
    static let mostCharacters = 64

    /// The text with what cannot be seen made visible, and what is too long shortened in the middle.
    static func text(_ text: String, most: Int = mostCharacters) -> String {
        // An absurd text is cut before it is looked at character by character.
        let bounded = text.utf8.count > 16 * most ? String(text.prefix(most)) + "…" + text.suffix(most) : text
        let characters = Array(visible(bounded))
        guard characters.count > most else { return String(characters) }
        return String(characters.prefix((most - 1 + 1) / 2)) + "…" + String(characters.suffix((most - 1) / 2))
    }

    /// The end of a text, which tells clips of one folder apart: without its first folders where it is too long, and
    /// shortened in the middle where that is not enough.
    static func ending(of text: String, most: Int) -> String {
        let characters = Array(visible(String(text.suffix(16 * most))))
        guard text.count > most || characters.count > most else { return String(characters) }
        let rest = characters.suffix(most - 1)
        // From a folder on, as long as half of the room is used.
        guard let slash = rest.firstIndex(of: "/"), rest.endIndex - slash > most / 2 else {
            return "…" + String(rest)
        }
        return "…" + String(rest[slash...])
    }

    /// Controls as their pictures (␊ for a line break), the marks that turn the direction of text left out, and what
    /// Unicode reserves as no character replaced.
    static func visible(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: result.append("\u{2421}")
            case 0x80..<0xA0, 0xFDD0...0xFDEF: result.append("\u{FFFD}")
            case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F: continue
            case let value where value & 0xFFFE == 0xFFFE: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// As much as fits into a number of columns, of which East Asian characters and emoji take two.
    static func fitting(_ text: String, columns: Int) -> String {
        let characters = Array(visible(text.utf8.count > 64 * columns ? String(text.prefix(4 * columns)) : text))
        func width(_ part: ArraySlice<Character>) -> Int { part.reduce(0) { $0 + Self.columns(of: $1) } }
        guard width(characters[...]) > columns else { return String(characters) }
        var kept = characters.count
        while kept > 0, width(characters[..<kept]) > columns - 1 { kept -= 1 }
        return String(characters[..<kept]) + "…"
    }

    /// The columns of a text.
    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first?.value else { return 0 }
        return (0x1100...0x115F).contains(scalar) || (0x2E80...0xA4CF).contains(scalar)
            || (0xAC00...0xD7A3).contains(scalar) || (0xF900...0xFAFF).contains(scalar)
            || (0xFE30...0xFE6F).contains(scalar) || (0xFF00...0xFF60).contains(scalar) || scalar >= 0x1F000 ? 2 : 1
    }
}
