import Terminal
import Testing

struct CellDrawingTests {
    private static let greys = (0..<256).map { UInt32($0) << 16 | UInt32($0) << 8 | UInt32($0) }

    @Test func `a cell has the upper value in front and the lower behind`() {
        let palette = LevelPalette(depth: .full, colors: Self.greys)
        let cell = palette.cell(upper: 10, lower: 200)
        #expect(cell.scalar == "▀")
        #expect(cell.foreground == palette.color(10) && cell.background == palette.color(200))
        #expect(palette.cell(upper: 7, lower: 7) == Cell(" ", background: palette.color(7)))
        #expect(palette.valuesPerCell == 2)
    }

    @Test func `in ASCII a cell has the greater value, from blank to dark`() {
        let palette = LevelPalette(depth: .ascii, colors: Self.greys)
        #expect(palette.valuesPerCell == 1)
        #expect(palette.cell(upper: 0, lower: 0) == .blank)
        #expect(palette.cell(upper: 255, lower: 0).scalar == "@" && palette.cell(upper: 0, lower: 255).scalar == "@")
        let shown = (0...255).map { palette.cell(upper: UInt8($0), lower: 0).scalar }
        #expect(Set(shown).count == 10 && shown.allSatisfy(\.isASCII))
    }

    @Test func `text is cut at the edges, and what may be wider than a column is a question mark`() {
        var grid = CellGrid(width: 6, height: 2)
        grid.put("abcdef", column: -2, row: 0)
        grid.put("é鳥\u{301}·", column: 3, row: 1)
        grid.put("x", column: 0, row: 2)
        func row(_ row: Int) -> String { String(String.UnicodeScalarView((0..<6).map { grid[$0, row].scalar })) }
        #expect(row(0) == "cdef  ")
        #expect(row(1) == "   é??")
    }

    @Test func `bars grow by eighths, in ASCII by fewer steps`() {
        let blocks = (0...8).map { BarGlyph.scalar(eighths: $0, depth: .full) }
        #expect(blocks == Array(" ▁▂▃▄▅▆▇█".unicodeScalars))
        #expect(BarGlyph.scalar(eighths: 99, depth: .full) == "█" && BarGlyph.scalar(eighths: -1, depth: .full) == " ")
        #expect((0...8).allSatisfy { BarGlyph.scalar(eighths: $0, depth: .ascii).isASCII })
        #expect(BarGlyph.scalar(eighths: 0, depth: .ascii) == " " && BarGlyph.scalar(eighths: 8, depth: .ascii) == "#")
    }

    @Test func `every dot of a cell has its own bit, and outside there is none`() {
        var all: Set<Unicode.Scalar> = []
        for x in 0..<2 {
            for y in 0..<4 {
                var canvas = DotCanvas(columns: 1, rows: 1)
                canvas.set(x, y)
                canvas.set(x, 4)
                canvas.set(-1, y)
                var grid = CellGrid(width: 1, height: 1)
                canvas.draw(into: &grid, at: grid.region, color: .standard, depth: .full)
                all.insert(grid[0, 0].scalar)
            }
        }
        #expect(all.count == 8 && all.allSatisfy { (0x2801...0x28FF).contains($0.value) })
        var canvas = DotCanvas(columns: 2, rows: 1)
        canvas.connect(2, from: 9, to: -5)
        var grid = CellGrid(width: 2, height: 1)
        canvas.draw(into: &grid, at: grid.region, color: .standard, depth: .full)
        #expect(grid[0, 0] == .blank && grid[1, 0].scalar == "⡇")
    }
}
