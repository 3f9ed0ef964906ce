extension String {
    /// The columns that the text takes in a terminal.
    package var columns: Int {
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// The text in at most `limit` columns; of a wider text, its start and its end with `ellipsis` between them.
    package func shortened(to limit: Int, ellipsis: String) -> String {
        guard columns > limit else { return self }
        let available = limit - ellipsis.columns
        guard available > 0 else { return String(ellipsis.prefix(max(limit, 0))) }
        func fitting(_ characters: some Sequence<Character>, _ columns: Int) -> [Character] {
            var left = columns
            return Array(
                characters.prefix { character in
                    left -= character.columns
                    return left >= 0
                })
        }
        let head = fitting(self, (available + 1) / 2)
        let tail = fitting(reversed(), available - String(head).columns)
        return String(head) + ellipsis + String(tail.reversed())
    }

    /// The text with spaces after it, or before it, up to `width` columns.
    package func padded(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - columns))
        return isRight ? spaces + self : self + spaces
    }

    /// The start of the text in at most `limit` columns, with … after it if it is longer.
    package func start(ofColumns limit: Int) -> String {
        guard columns > limit else { return self }
        var left = limit - 1
        return prefix { character in
            left -= character.columns
            return left >= 0
        } + "…"
    }
}

extension Character {
    /// The columns that the character takes in a terminal: 2 for full-width characters and emoji, 0 for modifiers, otherwise 1.
    package var columns: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return first.columns }
        return isEmojiSequence(from: first) ? 2 : scalars.reduce(0) { $0 + $1.columns }
    }

    /// Whether several code points make one emoji: a flag, a keycap, a shade of skin, a family.
    private func isEmojiSequence(from first: Unicode.Scalar) -> Bool {
        guard first.properties.isEmoji else { return false }
        if first.isRegionalIndicator { return unicodeScalars.count { $0.isRegionalIndicator } == 2 }
        return unicodeScalars.dropFirst().contains { scalar in
            scalar == "\u{FE0F}" || scalar == "\u{200D}" || scalar.properties.isEmojiModifier
        }
    }
}

extension Unicode.Scalar {
    /// The columns of the code point alone, by Unicode's East Asian Width (UAX #11): 2 for wide and full-width ones, 0 for
    /// controls, combining marks, invisible formatting and the later parts of a Hangul syllable. Ambiguous ones are narrow.
    package var columns: Int {
        guard value >= 0x300 else { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return isWide ? 2 : 1
    }

    /// Whether this is half of a flag.
    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        if properties.isEmojiPresentation { return !isRegionalIndicator }
        return Self.wide.contains { $0.contains(value) }
    }

    /// Wide and full-width code points that are not emoji: the scripts of East Asia, and their punctuation.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
