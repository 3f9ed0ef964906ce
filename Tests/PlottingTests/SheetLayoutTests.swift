import TestSupport
import Testing

@testable import Plotting

struct SheetLayoutTests {
    private static func parts(_ layout: SheetLayout) -> [PixelRectangle] {
        [layout.head, layout.foot] + layout.groups.flatMap { [$0.head] + $0.tiles + $0.captions }
            + layout.bars.flatMap { [$0.colors, $0.legend] }
    }

    @Test(arguments: 1...60)
    func `all parts lie inside, and none overlaps another`(groups: Int) throws {
        var random = RandomSource(seed: UInt64(groups))
        for (width, dpi, font) in [(1000, 96.0, 12.0), (431, 96, 12), (2500, 192, 12), (1300, 72, 20), (900, 150, 9)] {
            let style = try PictureStyle(width: width, dpi: dpi, fontSize: font)
            let sizes = PrintSizes(style)
            let counts = (0..<groups).map { $0 == 0 ? 3 : Int.random(in: 0...14, using: &random) }
            let bars = Int.random(in: 0...2, using: &random)
            let layout: SheetLayout
            do {
                layout = try SheetLayout(
                    tiles: counts, bars: bars, numberWidth: sizes.pixels(30),
                    notes: Int.random(in: 0...9, using: &random), width: style.columns, sizes: sizes)
            } catch {
                guard case .invalidSetting(let name, _, _) = error else { throw error }
                #expect(name == "height" && groups > 20)
                continue
            }
            #expect(layout.width == style.columns && layout.groups.map(\.tiles.count) == counts)
            #expect(layout.groups.map(\.captions.count) == counts && layout.bars.count == bars)
            let whole = PixelRectangle(x: 0, y: 0, width: layout.width, height: layout.height)
            let parts = Self.parts(layout)
            for part in parts { #expect(whole.contains(part) && part.width > 0 && part.height >= 0, "\(part)") }
            // In the order of their upper edges, so that only neighbours are compared.
            let sorted = parts.filter { $0.height > 0 }.sorted { $0.y < $1.y }
            var overlaps: [String] = []
            for (index, part) in sorted.enumerated() {
                for other in sorted[(index + 1)...].prefix(while: { $0.y < part.bottom }) {
                    if part.overlaps(other) { overlaps.append("\(part) and \(other)") }
                }
            }
            #expect(overlaps.isEmpty, "\(overlaps.count): \(overlaps.prefix(3))")
            let tiles = layout.groups.flatMap(\.tiles)
            #expect(Set(tiles.map(\.width)).count == 1 && Set(tiles.map(\.height)).count == 1)
            for group in layout.groups {
                for (tile, next) in zip(group.tiles, group.tiles.dropFirst()) {
                    #expect(next.y == tile.y ? next.x > tile.x : next.y > tile.y && next.x == group.tiles[0].x)
                }
                for (tile, caption) in zip(group.tiles, group.captions) {
                    #expect(caption.x == tile.x && caption.width == tile.width && caption.y >= tile.bottom)
                }
            }
        }
    }

    @Test func `tiles are side by side as many as fit, in lines of nearly equal length`() throws {
        let sizes = PrintSizes(try PictureStyle(width: 1000))
        func lines(_ tiles: Int, width: Int = 1000) throws -> [Int] {
            let layout = try SheetLayout(tiles: [tiles], numberWidth: 30, width: width, sizes: sizes)
            return Dictionary(grouping: layout.groups[0].tiles, by: \.y).sorted { $0.key < $1.key }.map(\.value.count)
        }
        #expect(try lines(8) == [8] && lines(1) == [1])
        #expect(try lines(10) == [5, 5] && lines(17) == [9, 8] && lines(19) == [7, 7, 5])
        #expect(try lines(8, width: 2000) == [8] && lines(16, width: 2000) == [16])
    }

    @Test func `a sheet that is too narrow for a tile, or too high, is refused with the bound`() throws {
        let sizes = PrintSizes(try PictureStyle(fontSize: 48))
        let narrow = #expect(throws: PlotError.self) {
            try SheetLayout(tiles: [1], width: 320, sizes: sizes)
        }
        #expect(narrow.map { "\($0)".contains("found 320 pixels") } == true)
        let high = #expect(throws: PlotError.self) {
            try SheetLayout(
                tiles: Array(repeating: 8, count: 400), width: 1000,
                sizes: PrintSizes(PictureStyle()))
        }
        #expect(high.map { "\($0)".contains("at most 32000") } == true)
    }
}
