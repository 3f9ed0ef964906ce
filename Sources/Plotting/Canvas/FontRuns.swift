/// A text cut up by the fonts that have its characters.
struct FontRuns: Hashable {
    /// A part of the text that one font has.
    struct Run: Hashable {
        /// The number of the font.
        let font: Int
        /// The part.
        var text: String
    }

    /// The parts, in the text's order; neighbours have different fonts.
    private(set) var runs: [Run] = []

    /// Cuts wherever `font` gives a character another number than the one before it has.
    init(_ text: String, font: (Character) -> Int) {
        for character in text {
            let font = font(character)
            if runs.last?.font == font {
                runs[runs.count - 1].text.append(character)
            } else {
                runs.append(Run(font: font, text: String(character)))
            }
        }
    }

    /// The first of `fonts` that has all of a character; 0, the usual one, which then shows a box, where none has.
    ///
    /// - Parameter has: Whether a font has a code point. It is not asked for those that show nothing.
    static func font(
        of character: Character, fonts: Int, has: (_ font: Int, _ scalar: Unicode.Scalar) -> Bool
    ) -> Int {
        let wanted = character.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return (0..<max(fonts, 1)).first { font in wanted.allSatisfy { has(font, $0) } } ?? 0
    }
}
