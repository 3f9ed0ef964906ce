import Terminal

/// Bars that stand side by side, one to a column, and marks where they were highest a moment ago.
struct BarChart {
    private var peaks: [Float] = []

    /// How much of the height a mark falls in a second.
    private static let fall: Float = 0.35

    /// Forgets the marks.
    mutating func clear() { peaks = [] }

    /// Draws bars into a region.
    ///
    /// - Parameters:
    ///   - heights: Of each column, 0 … 1; others are clamped.
    ///   - elapsed: Seconds since the last time.
    ///   - color: The colour of a column's cell at a height, 0 … 1.
    mutating func draw(
        _ heights: [Float], into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double,
        color: (Int, Float) -> TerminalColor
    ) {
        if peaks.count != heights.count { peaks = Array(repeating: 0, count: heights.count) }
        guard region.height > 0 else { return }
        for (x, height) in heights.enumerated() where x < region.width {
            let height = max(0, min(1, height))
            peaks[x] = max(peaks[x] - Self.fall * Float(elapsed), height)
            let eighths = Int((height * Float(8 * region.height)).rounded())
            for y in 0..<region.height {
                let filled = eighths - 8 * y
                guard filled > 0 else { break }
                let shade = color(x, (Float(y) + 0.5) / Float(region.height))
                grid.put(
                    Cell(BarGlyph.scalar(eighths: filled, depth: style.depth), foreground: shade),
                    column: region.column + x, row: region.bottom - 1 - y)
            }
            let mark = Int(peaks[x] * Float(region.height))
            guard mark > eighths / 8, mark < region.height else { continue }
            grid.put(
                Cell(style.hasSymbols ? "─" : "-", foreground: style.faint), column: region.column + x,
                row: region.bottom - 1 - mark)
        }
    }

    /// The greatest value of the bins that each of some columns stands for; where there are more columns than bins, a bin has
    /// several.
    static func columns(_ count: Int, of row: [Float]) -> [Float] {
        (0..<max(count, 0)).map { x in
            let first = x * row.count / count
            let last = max((x + 1) * row.count / count, first + 1)
            return row[first..<last].reduce(-.infinity, max)
        }
    }
}
