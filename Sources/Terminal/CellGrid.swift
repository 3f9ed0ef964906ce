/// The cells of a screen, row by row from the upper left.
package struct CellGrid: Hashable, Sendable {
    package let width: Int
    package let height: Int
    private(set) var cells: [Cell]

    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
        cells = Array(repeating: .blank, count: self.width * self.height)
    }

    package var region: CellRegion { CellRegion(column: 0, row: 0, width: width, height: height) }

    /// - Precondition: The position is within the grid.
    package subscript(column: Int, row: Int) -> Cell {
        precondition((0..<width).contains(column), "the column is within the grid")
        return cells[row * width + column]
    }

    package mutating func clear() {
        for index in cells.indices { cells[index] = .blank }
    }

    package mutating func put(_ cell: Cell, column: Int, row: Int) {
        guard (0..<width).contains(column), (0..<height).contains(row) else { return }
        cells[row * width + column] = cell
    }

    /// Writes text from a column on; outside the grid, it is dropped. Characters that are not one column wide become `?`.
    package mutating func put(
        _ text: String, column: Int, row: Int, foreground: TerminalColor = .standard,
        background: TerminalColor = .standard
    ) {
        var column = column
        for scalar in text.unicodeScalars {
            let shown = scalar.isOneColumn ? scalar : "?"
            put(Cell(shown, foreground: foreground, background: background), column: column, row: row)
            column += 1
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is one column wide in every terminal: Latin, Greek and Cyrillic letters, and the symbols that
    /// pictures are drawn with.
    var isOneColumn: Bool {
        switch value {
        case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x2030...0x205E,
            0x2190...0x2193, 0x2212, 0x2500...0x25FF, 0x266D...0x266F, 0x2800...0x28FF:
            true
        default: false
        }
    }
}

/// A character one column wide, and its colours.
package struct Cell: Hashable, Sendable {
    package var scalar: Unicode.Scalar
    package var foreground: TerminalColor
    package var background: TerminalColor

    package init(
        _ scalar: Unicode.Scalar, foreground: TerminalColor = .standard, background: TerminalColor = .standard
    ) {
        self.scalar = scalar
        self.foreground = foreground
        self.background = background
    }

    package static let blank = Cell(" ")
}

/// A rectangle of cells; column 0, row 0 is the upper left.
package struct CellRegion: Hashable, Sendable {
    package var column: Int
    package var row: Int
    /// Columns; not negative.
    package var width: Int
    /// Rows; not negative.
    package var height: Int

    /// A region; negative sizes become 0.
    package init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.width = max(width, 0)
        self.height = max(height, 0)
    }

    /// The rest after cutting off columns and rows at the sides.
    package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> CellRegion {
        CellRegion(column: column + left, row: row + top, width: width - left - right, height: height - top - bottom)
    }

    /// The row below the last.
    package var bottom: Int { row + height }
    /// The column after the last.
    package var end: Int { column + width }
}
