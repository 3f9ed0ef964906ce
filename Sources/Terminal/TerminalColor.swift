import Presentation

/// A colour of a cell: the terminal's own, one of its 256, or one of 24 bits.
package struct TerminalColor: Hashable, Sendable {
    /// 0xRRGGBB, or with one of the bits below.
    let code: UInt32

    private static let indexedBit: UInt32 = 1 << 24

    private init(code: UInt32) { self.code = code }

    /// The terminal's default.
    package static let standard = TerminalColor(code: 1 << 25)

    /// 0xRRGGBB; the upper 8 bits are ignored.
    package init(hex: UInt32) { code = hex & 0xFF_FFFF }

    /// One of the 256 colours of xterm.
    package init(indexed index: UInt8) { code = Self.indexedBit | UInt32(index) }

    /// The index among the 256 colours; nil: another kind of colour.
    package var index: UInt8? { code & Self.indexedBit != 0 ? UInt8(truncatingIfNeeded: code) : nil }

    /// The components of a 24-bit colour; nil: another kind of colour.
    package var components: (red: UInt8, green: UInt8, blue: UInt8)? {
        guard code < Self.indexedBit else { return nil }
        return (
            UInt8(truncatingIfNeeded: code >> 16), UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)
        )
    }
}

/// How many colours, and which characters, a terminal can show.
package enum ColorDepth: String, CaseIterable, Sendable {
    /// 24 bits, and block characters.
    case full = "24"
    /// The 256 colours of xterm, and block characters.
    case indexed = "256"
    /// No colours, and ASCII alone.
    case ascii

    /// What a terminal of these environment variables can show.
    ///
    /// ASCII where `NO_COLOR` is set and not empty, `TERM` is `dumb` or missing, or the locale is not UTF-8; 24 bits where
    /// `COLORTERM` says so, or `TERM` ends in `-direct`; 256 colours where `TERM` says so; else ASCII.
    package static func best(environment: [String: String]) -> ColorDepth {
        let style = ReportStyle(environment: environment, terminalWidth: ReportStyle.plain.width)
        guard style.isColored, style.isUnicode, let term = environment["TERM"] else { return .ascii }
        if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct") {
            return .full
        }
        return term.contains("256color") ? .indexed : .ascii
    }

    /// The nearest colour to 0xRRGGBB.
    package func color(_ hex: UInt32) -> TerminalColor {
        switch self {
        case .full: TerminalColor(hex: hex)
        case .indexed: TerminalColor(indexed: Self.nearestIndex(hex))
        case .ascii: .standard
        }
    }

    /// The steps of a component in xterm's cube of 6 × 6 × 6 colours, which starts at 16.
    private static let cubeSteps = [0, 95, 135, 175, 215, 255]

    /// The nearest colour of the cube and the 24 greys after it; the first 16 differ between terminals.
    private static func nearestIndex(_ hex: UInt32) -> UInt8 {
        let (red, green, blue) = (Int(hex >> 16 & 0xFF), Int(hex >> 8 & 0xFF), Int(hex & 0xFF))
        func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        func distance(_ other: (Int, Int, Int)) -> Int {
            let (r, g, b) = (red - other.0, green - other.1, blue - other.2)
            return r * r + g * g + b * b
        }
        let (r, g, b) = (step(red), step(green), step(blue))
        let cube = distance((cubeSteps[r], cubeSteps[g], cubeSteps[b]))
        let mean = (red + green + blue) / 3
        let grey = min(max((mean - 3) / 10, 0), 23)
        let level = 8 + 10 * grey
        return UInt8(distance((level, level, level)) < cube ? 232 + grey : 16 + 36 * r + 6 * g + b)
    }
}

/// The cells that values from 0 to 255 are drawn with: two values in a cell, one above the other, where there are block
/// characters; else one.
package struct LevelPalette: Sendable {
    package let depth: ColorDepth
    private let colors: [TerminalColor]

    private static let ramp = Array(" .:-=+*#%@".unicodeScalars)

    /// - Precondition: there are 256 colours, 0xRRGGBB.
    package init(depth: ColorDepth, colors: [UInt32]) {
        precondition(colors.count == 256, "a palette of 256 colours")
        self.depth = depth
        self.colors = colors.map(depth.color)
    }

    /// Number of values that one cell shows, one above the other.
    package var valuesPerCell: Int { depth == .ascii ? 1 : 2 }

    package func color(_ level: UInt8) -> TerminalColor { colors[Int(level)] }

    /// The cell of two values. In ASCII it shows the greater one.
    package func cell(upper: UInt8, lower: UInt8) -> Cell {
        guard depth != .ascii else {
            return Cell(Self.ramp[(Int(max(upper, lower)) * (Self.ramp.count - 1) + 127) / 255])
        }
        let (above, below) = (colors[Int(upper)], colors[Int(lower)])
        // A blank needs no second colour.
        return above == below ? Cell(" ", background: above) : Cell("▀", foreground: above, background: below)
    }
}
