import Terminal
import TestSupport
import Testing

struct GridPainterTests {
    private static func painted(_ painter: inout GridPainter, _ grid: CellGrid) -> [[UInt8]] {
        var sent: [[UInt8]] = []
        painter.paint(grid) { sent.append(Array($0)) }
        return sent
    }

    /// A cell of a few characters and colours, so that neighbours are often alike.
    private static func cell(_ random: inout RandomSource) -> Cell {
        let scalars: [Unicode.Scalar] = [" ", "a", "▀", "é", "⣿"]
        let colors = [
            TerminalColor.standard, TerminalColor(indexed: 3), TerminalColor(indexed: 200),
            TerminalColor(hex: 0x0116FF),
        ]
        return Cell(
            scalars.randomElement(using: &random) ?? " ",
            foreground: colors.randomElement(using: &random) ?? .standard,
            background: colors.randomElement(using: &random) ?? .standard)
    }

    /// What can be seen: the colour of a blank cannot.
    private static func visible(_ grid: CellGrid) -> [Cell] {
        (0..<grid.height).flatMap { row in
            (0..<grid.width).map { column in
                var cell = grid[column, row]
                if cell.scalar == " " { cell.foreground = .standard }
                return cell
            }
        }
    }

    @Test(arguments: 0..<20)
    func `the bytes make a terminal show the picture after any other`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let (width, height) = (Int.random(in: 1...30, using: &random), Int.random(in: 1...12, using: &random))
        var grid = CellGrid(width: width, height: height)
        var painter = GridPainter()
        var screen = ScreenModel(width: width, height: height)
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 0...width * height, using: &random) {
                let column = Int.random(in: 0..<width, using: &random)
                grid.put(Self.cell(&random), column: column, row: Int.random(in: 0..<height, using: &random))
            }
            for bytes in Self.painted(&painter, grid) { screen.receive(bytes) }
            #expect(Self.visible(screen.grid) == Self.visible(grid))
        }
        #expect(screen.unknown.isEmpty, "\(screen.unknown)")
    }

    @Test func `a picture goes out in one piece, an equal one not at all, and a cell that changes costs few bytes`() {
        var painter = GridPainter()
        var grid = CellGrid(width: 80, height: 24)
        grid.put("hello", column: 3, row: 2)
        #expect(Self.painted(&painter, grid).count == 1)
        #expect(Self.painted(&painter, grid).isEmpty)
        grid.put("j", column: 3, row: 2)
        let sent = Self.painted(&painter, grid)
        #expect(sent.map { String(decoding: $0, as: UTF8.self) } == ["\u{1B}[0m\u{1B}[3;4Hj\u{1B}[0m"])
    }

    @Test func `after a change of size, or when the screen is not known, the picture is sent whole`() {
        var painter = GridPainter()
        var grid = CellGrid(width: 5, height: 1)
        grid.put("abc", column: 0, row: 0)
        _ = Self.painted(&painter, grid)
        painter.invalidate()
        var screen = ScreenModel(width: 5, height: 1)
        for bytes in Self.painted(&painter, grid) { screen.receive(bytes) }
        #expect(Self.visible(screen.grid) == Self.visible(grid))
        var larger = CellGrid(width: 200, height: 120)
        larger.put("abc", column: 190, row: 110)
        screen = ScreenModel(width: 200, height: 120)
        for bytes in Self.painted(&painter, larger) { screen.receive(bytes) }
        #expect(Self.visible(screen.grid) == Self.visible(larger))
    }

    @Test func `without colours no byte asks for one`() {
        var painter = GridPainter()
        var grid = CellGrid(width: 4, height: 1)
        let palette = LevelPalette(depth: .ascii, colors: (0..<256).map { UInt32($0) })
        for column in 0..<4 {
            grid.put(palette.cell(upper: UInt8(column * 80), lower: 0), column: column, row: 0)
        }
        let text = Self.painted(&painter, grid).map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(!text.contains("[3") && !text.contains("[4"), "\(text)")
        #expect(text.utf8.count == text.unicodeScalars.count)
    }
}
