import Foundation
import Presentation
import Terminal

/// Text in cells, which is either whole or cut with a sign that it is.
enum CellText {
    /// Writes the first of some wordings, the longest first, that a width has room for; nothing where none fits.
    static func put(
        _ wordings: [String], into grid: inout CellGrid, column: Int, row: Int, width: Int, foreground: TerminalColor
    ) {
        guard let text = wordings.first(where: { cells($0) <= width }) else { return }
        grid.put(text, column: column, row: row, foreground: foreground)
    }

    /// The name of a file, without the folders that it is in, as it can be drawn: in cells, a letter with its accent is one.
    static func name(_ path: String) -> String {
        let name = URL(filePath: path).lastPathComponent
        return (name.isEmpty ? path : name).printable.precomposedStringWithCanonicalMapping
    }

    /// The text within a width: where it is longer, its beginning and its end; nothing where that would tell nothing.
    static func shortened(_ text: String, to width: Int, style: LiveStyle) -> String {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.columns == 1 ? $0 : "?" }))
        guard cells(text) > width else { return text }
        return width < leastWidth ? "" : text.shortened(to: width, ellipsis: style.hasSymbols ? "…" : "..")
    }

    private static let leastWidth = 9

    /// The cells that a text takes: one for each code point (`CellGrid.put`).
    static func cells(_ text: String) -> Int { text.unicodeScalars.count }
}
