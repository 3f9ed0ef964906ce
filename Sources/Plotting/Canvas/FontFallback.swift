import CFontconfig

/// Finds fonts for characters that the default font lacks, such as in Japanese labels.
///
/// Cairo's own text functions use one font for a whole text, and show boxes for missing characters. Fonts are searched when a text
/// needs them, which takes milliseconds.
final class FontFallback {
    static let standard = "sans-serif"

    /// Whether there is any font. Without one, Cairo crashes when text is drawn or measured.
    static let hasFonts: Bool = {
        BundledFonts.useIfNeeded()
        return findsFont() || (BundledFonts.add() && findsFont())
    }()

    private static func findsFont() -> Bool {
        guard let match = search({ FcFontMatch(nil, $0, $1) }) else { return false }
        defer { FcPatternDestroy(match) }
        return family(match) != nil
    }

    private var first: OpaquePointer?
    /// The system's fonts, the default first; each has characters that the earlier ones lack.
    private var all: UnsafeMutablePointer<FcFontSet>?
    /// The fonts of the characters seen so far, by index.
    private var found: [Character: Int] = [:]

    deinit {
        if let first { FcPatternDestroy(first) }
        if let all { FcFontSetDestroy(all) }
    }

    /// The parts of a text, each with the family of a font that has it.
    func parts(of text: String) -> [(family: String, text: String)] {
        // Any font has the printable characters of ASCII.
        let rare = text.unicodeScalars.filter { $0.value > 0x7E }
        guard !rare.isEmpty, !isStandard(rare) else { return [(Self.standard, text)] }
        if all == nil { all = Self.search { FcFontSort(nil, $0, 1, nil, $1) } }
        guard let all, all.pointee.nfont > 0 else { return [(Self.standard, text)] }
        let fonts = UnsafeBufferPointer(start: all.pointee.fonts, count: Int(all.pointee.nfont))
        return FontRuns(text) { character in
            if let known = found[character] { return known }
            let font = FontRuns.font(of: character, fonts: fonts.count) { Self.has(fonts[$0], $1) }
            found[character] = font
            return font
        }.runs.map { run in
            (run.font == 0 ? Self.standard : Self.family(fonts[run.font]) ?? Self.standard, run.text)
        }
    }

    private func isStandard(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        if first == nil { first = Self.search { FcFontMatch(nil, $0, $1) } }
        return scalars.allSatisfy { Self.has(first, $0) }
    }

    /// Asks for fonts by the default font's name, as Cairo does.
    private static func search<Found>(_ find: (OpaquePointer, UnsafeMutablePointer<FcResult>) -> Found?) -> Found? {
        guard let pattern = FcNameParse(standard) else { return nil }
        defer { FcPatternDestroy(pattern) }
        FcConfigSubstitute(nil, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        return find(pattern, &result)
    }

    private static func has(_ font: OpaquePointer?, _ scalar: Unicode.Scalar) -> Bool {
        var characters: OpaquePointer?
        guard FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch, let characters else {
            return false
        }
        return FcCharSetHasChar(characters, scalar.value) != 0
    }

    private static func family(_ font: OpaquePointer?) -> String? {
        var name: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(font, FC_FAMILY, 0, &name) == FcResultMatch, let name else { return nil }
        return String(cString: name)
    }
}

/// A text cut up by the fonts that have its characters.
struct FontRuns: Hashable {
    struct Run: Hashable {
        let font: Int
        var text: String
    }

    /// The parts, in the text's order; neighbours have different fonts.
    private(set) var runs: [Run] = []

    /// Cuts where `font` returns another index than for the previous character.
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

    /// The index of the first font that has all of a character; 0, the default font, which shows a box, if none has.
    ///
    /// - Parameter has: Whether a font has a code point; not called for invisible ones.
    static func font(of character: Character, fonts: Int, has: (_ font: Int, _ scalar: Unicode.Scalar) -> Bool) -> Int {
        let wanted = character.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return (0..<max(fonts, 1)).first { font in wanted.allSatisfy { has(font, $0) } } ?? 0
    }
}

package enum PictureFonts {
    /// The warning on a system without any font, whose pictures have no text; nil: there are fonts.
    package static var warning: String? {
        guard !FontFallback.hasFonts else { return nil }
        #if canImport(Darwin)
            let remedy = "install one, such as DejaVu Sans ('brew install --cask font-dejavu')"
        #else
            let remedy = "install one, such as the package fonts-dejavu-core on Debian and Ubuntu"
        #endif
        return "no font was found, so the picture has no text: \(remedy)"
    }
}
