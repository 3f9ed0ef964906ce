import Foundation
import Presentation
import Terminal

struct LiveStyle {
    let depth: ColorDepth
    let palette: LevelPalette

    /// Axes and other background.
    let faint: TerminalColor
    let bright: TerminalColor
    /// For emphasis, such as a pause.
    let accent: TerminalColor

    /// - Parameter colors: 256 colours of values, 0xRRGGBB.
    init(depth: ColorDepth, colors: [UInt32]) {
        self.depth = depth
        palette = LevelPalette(depth: depth, colors: colors)
        faint = depth.color(0x8C8C8C)
        bright = depth.color(0xEBEBEB)
        accent = depth.color(0xFFAF3C)
    }

    var hasSymbols: Bool { depth != .ascii }
}

/// Text in cells: whole, or cut with an ellipsis.
enum CellText {
    /// Writes the first of some wordings, longest first, that fits a width, if any.
    static func put(
        _ wordings: [String], into grid: inout CellGrid, column: Int, row: Int, width: Int, foreground: TerminalColor
    ) {
        guard let text = wordings.first(where: { cells($0) <= width }) else { return }
        grid.put(text, column: column, row: row, foreground: foreground)
    }

    /// The name of a file without its folder, with letters and accents composed, since a cell has one code point.
    static func name(_ path: String) -> String {
        let name = URL(filePath: path).lastPathComponent
        return (name.isEmpty ? path : name).printable.precomposedStringWithCanonicalMapping
    }

    /// The text within a width: of a longer one, its start and end; empty if that would be unreadable.
    static func shortened(_ text: String, to width: Int, style: LiveStyle) -> String {
        let text = text.mapScalars { $0.columns == 1 ? $0 : "?" }
        guard cells(text) > width else { return text }
        return width < minimumWidth ? "" : text.shortened(to: width, ellipsis: style.hasSymbols ? "…" : "..")
    }

    private static let minimumWidth = 9

    /// The number of cells of a text: one for each code point (`CellGrid.put`).
    static func cells(_ text: String) -> Int { text.unicodeScalars.count }
}
