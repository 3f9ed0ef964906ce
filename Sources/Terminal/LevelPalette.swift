/// The cells that values from 0 to 255 are drawn with: two values in a cell, one above the other, where there are block
/// characters; else one.
package struct LevelPalette: Sendable {
    /// For which terminal.
    package let depth: ColorDepth
    private let colors: [TerminalColor]

    /// From blank to dark.
    private static let ramp = Array(" .:-=+*#%@".unicodeScalars)

    /// - Parameters:
    ///   - depth: For which terminal.
    ///   - colors: 256 colours, 0xRRGGBB.
    /// - Precondition: there are 256.
    package init(depth: ColorDepth, colors: [UInt32]) {
        precondition(colors.count == 256, "a palette of 256 colours")
        self.depth = depth
        self.colors = colors.map { color in
            depth.color(
                red: UInt8(truncatingIfNeeded: color >> 16), green: UInt8(truncatingIfNeeded: color >> 8),
                blue: UInt8(truncatingIfNeeded: color))
        }
    }

    /// Values that one cell shows, one above the other.
    package var valuesPerCell: Int { depth == .ascii ? 1 : 2 }

    /// The colour of a value.
    package func color(_ level: UInt8) -> TerminalColor { colors[Int(level)] }

    /// The cell of two values. Where one alone can be shown, it is the greater.
    package func cell(upper: UInt8, lower: UInt8) -> Cell {
        guard depth != .ascii else {
            return Cell(Self.ramp[(Int(max(upper, lower)) * (Self.ramp.count - 1) + 127) / 255])
        }
        let (above, below) = (colors[Int(upper)], colors[Int(lower)])
        // A blank needs no second colour.
        return above == below ? Cell(" ", background: above) : Cell("▀", foreground: above, background: below)
    }
}
