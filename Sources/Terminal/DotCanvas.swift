/// Lines of fine dots: 2 × 4 in a cell, by Braille characters; in ASCII one mark a cell.
package struct DotCanvas: Sendable {
    package let width: Int
    package let height: Int
    private let columns: Int
    private var patterns: [UInt8]

    /// The bit of each dot in a Braille character, by row, then column.
    private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    package init(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        width = 2 * self.columns
        height = 4 * max(rows, 0)
        patterns = Array(repeating: 0, count: self.columns * max(rows, 0))
    }

    /// Sets a dot, counted from the upper left; what lies outside is dropped.
    package mutating func set(_ x: Int, _ y: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        patterns[y / 4 * columns + x / 2] |= Self.bits[y % 4 * 2 + x % 2]
    }

    /// Sets the dots of a column from one height to another, in either order.
    package mutating func connect(_ x: Int, from first: Int, to last: Int) {
        let range = max(min(first, last), 0)...max(min(max(first, last), height - 1), max(min(first, last), 0))
        for y in range { set(x, y) }
    }

    package func draw(into grid: inout CellGrid, at region: CellRegion, color: TerminalColor, depth: ColorDepth) {
        for (index, pattern) in patterns.enumerated() where pattern != 0 {
            let (column, row) = (index % columns, index / columns)
            guard column < region.width, row < region.height, let braille = Unicode.Scalar(0x2800 + UInt32(pattern))
            else { continue }
            grid.put(
                Cell(depth == .ascii ? "*" : braille, foreground: color), column: region.column + column,
                row: region.row + row)
        }
    }
}

package enum BarGlyph {
    private static let blocks = Array(" ▁▂▃▄▅▆▇█".unicodeScalars)
    private static let plain = Array(" ..::++##".unicodeScalars)

    /// The character of a cell that is filled from below by a number of eighths, 0 … 8; others are clamped.
    package static func scalar(eighths: Int, depth: ColorDepth) -> Unicode.Scalar {
        let index = min(max(eighths, 0), 8)
        return depth == .ascii ? plain[index] : blocks[index]
    }
}
