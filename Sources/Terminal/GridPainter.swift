/// The bytes that change a terminal from one picture to the next: only cells that differ are sent.
///
/// The bytes of a picture go out in one piece. Nothing is allocated once the buffers have grown to a picture's size.
package struct GridPainter: Sendable {
    private var shown: CellGrid?
    private var bytes: [UInt8] = []
    private var foreground = TerminalColor.standard
    private var background = TerminalColor.standard

    package init() {}

    /// Makes the next picture be sent whole.
    package mutating func invalidate() { shown = nil }

    /// Hands over the bytes of a picture; not called where nothing has changed.
    package mutating func paint(_ grid: CellGrid, send: (UnsafeRawBufferPointer) -> Void) {
        bytes.removeAll(keepingCapacity: true)
        (foreground, background) = (.standard, .standard)
        let old = shown.flatMap { $0.width == grid.width && $0.height == grid.height ? $0 : nil }
        // Another program may have written to the terminal and left any colour.
        append("\u{1B}[0m")
        if old == nil { append("\u{1B}[2J") }
        let empty = bytes.count
        for row in 0..<grid.height { append(row: row, of: grid, over: old) }
        guard bytes.count > empty || old == nil else { return }
        append("\u{1B}[0m")
        shown = grid
        bytes.withUnsafeBytes(send)
    }

    private mutating func append(row: Int, of grid: CellGrid, over old: CellGrid?) {
        /// The column that the terminal would write to next; nil: it is in another row.
        var cursor: Int?
        for column in 0..<grid.width {
            let index = row * grid.width + column
            let cell = grid.cells[index]
            guard old.map({ $0.cells[index] != cell }) ?? (cell != .blank) else { continue }
            if let position = cursor, position < column {
                append("\u{1B}[")
                append(number: column - position)
                append("C")
            } else if cursor == nil {
                append("\u{1B}[")
                append(number: row + 1)
                append(";")
                append(number: column + 1)
                append("H")
            }
            append(cell)
            cursor = column + 1
        }
    }

    private mutating func append(_ cell: Cell) {
        if cell.background != background {
            background = cell.background
            append(color: background, isBackground: true)
        }
        // A blank shows nothing of its own colour.
        if cell.foreground != foreground, cell.scalar != " " {
            foreground = cell.foreground
            append(color: foreground, isBackground: false)
        }
        if cell.scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: cell.scalar.value))
        } else {
            bytes.append(contentsOf: UTF8.encode(cell.scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private mutating func append(color: TerminalColor, isBackground: Bool) {
        append(isBackground ? "\u{1B}[4" : "\u{1B}[3")
        if let index = color.index {
            append("8;5;")
            append(number: Int(index))
        } else if let (red, green, blue) = color.components {
            append("8;2;")
            append(number: Int(red))
            append(";")
            append(number: Int(green))
            append(";")
            append(number: Int(blue))
        } else {
            append("9")
        }
        append("m")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(number: Int) {
        if number >= 10 { append(number: number / 10) }
        bytes.append(UInt8(48 + number % 10))
    }
}
