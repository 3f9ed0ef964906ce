import CFontconfig

/// The fonts for characters that the usual one lacks, such as a label's in Japanese.
///
/// Cairo's own text functions take one font for a whole text, and show boxes for what it lacks. Fonts are looked for when a
/// text needs them, which takes milliseconds.
final class FontFallback {
    /// The usual font.
    static let usual = "sans-serif"

    /// Whether the system has any font. Cairo crashes where text is to be drawn, or even measured, without one.
    static let hasFonts: Bool = {
        guard let match = search({ FcFontMatch(nil, $0, $1) }) else { return false }
        defer { FcPatternDestroy(match) }
        return family(match) != nil
    }()

    /// The font that stands behind that name.
    private var first: OpaquePointer?
    /// The system's fonts, the usual one first; each has characters that none before it has.
    private var all: UnsafeMutablePointer<FcFontSet>?
    /// The fonts of characters that were looked for.
    private var found: [Character: Int] = [:]

    deinit {
        if let first { FcPatternDestroy(first) }
        if let all { FcFontSetDestroy(all) }
    }

    /// A text's parts with the family of the font that has each.
    func parts(of text: String) -> [(family: String, text: String)] {
        // Any font has the printable characters of ASCII.
        let rare = text.unicodeScalars.filter { $0.value > 0x7E }
        guard !rare.isEmpty, !isUsual(rare) else { return [(Self.usual, text)] }
        if all == nil { all = Self.search { FcFontSort(nil, $0, 1, nil, $1) } }
        guard let all, all.pointee.nfont > 0 else { return [(Self.usual, text)] }
        let fonts = UnsafeBufferPointer(start: all.pointee.fonts, count: Int(all.pointee.nfont))
        return FontRuns(text) { character in
            if let known = found[character] { return known }
            let font = FontRuns.font(of: character, fonts: fonts.count) { Self.has(fonts[$0], $1) }
            found[character] = font
            return font
        }.runs.map { run in
            (run.font == 0 ? Self.usual : Self.family(fonts[run.font]) ?? Self.usual, run.text)
        }
    }

    private func isUsual(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        if first == nil { first = Self.search { FcFontMatch(nil, $0, $1) } }
        return scalars.allSatisfy { Self.has(first, $0) }
    }

    /// Asks for fonts by the usual one's name, as Cairo does.
    private static func search<Found>(
        _ find: (OpaquePointer, UnsafeMutablePointer<FcResult>) -> Found?
    ) -> Found? {
        guard let pattern = FcNameParse(usual) else { return nil }
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
