import Presentation

/// A label, an id or a path as the page shows it: any text that a manifest may hold.
enum DisplayName {
    /// The most characters that are shown.
    static let maximumCharacters = 64

    /// The text with what cannot be seen made visible, and what is too long shortened in the middle.
    static func text(_ text: String, most: Int = maximumCharacters) -> String {
        // An absurd text is cut before it is looked at character by character.
        let bounded = text.utf8.count > 16 * most ? String(text.prefix(most)) + "…" + text.suffix(most) : text
        let characters = Array(bounded.visible)
        guard characters.count > most else { return String(characters) }
        return String(characters.prefix((most - 1 + 1) / 2)) + "…" + String(characters.suffix((most - 1) / 2))
    }

    /// The end of a text, which tells clips of one folder apart: without its first folders where it is too long, and
    /// shortened in the middle where that is not enough.
    static func ending(of text: String, most: Int) -> String {
        let characters = Array(String(text.suffix(16 * most)).visible)
        guard text.count > most || characters.count > most else { return String(characters) }
        let rest = characters.suffix(most - 1)
        // From a folder on, as long as half of the room is used.
        guard let slash = rest.firstIndex(of: "/"), rest.endIndex - slash > most / 2 else {
            return "…" + String(rest)
        }
        return "…" + String(rest[slash...])
    }
}
