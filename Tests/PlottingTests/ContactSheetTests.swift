import FeatureModel
import TestSupport
import Testing

@testable import Plotting

struct ContactSheetTests {
    private static func sheet(
        _ groups: [[SheetTile]], frames: Int = 50, bins: Int = 8, span: ValueSpan = .fixed(-100...0),
        frequencies: FrequencyDisplay = .bins, style: PictureStyle? = nil
    ) throws -> ContactSheet {
        try ContactSheet(
            title: "speech.h5", subtitle: "mel spectrogram",
            notes: [
                "A remark of some length, which says what the distance is, so long that it takes two lines or more."
            ],
            groups: groups.enumerated().map { SheetGroup(title: "label \($0)", note: "3 of 7 clips", tiles: $1) },
            axis: .frequencies((0..<bins).map { 100 + 100 * Float($0) }), frequencies: frequencies, framePeriod: 0.01,
            frames: frames, valueLabel: "dB", span: span, style: style ?? PictureStyle(width: 700))
    }

    private static func clip(_ matrix: FeatureMatrix, continues: Bool = false) -> SheetTile {
        SheetTile(
            kind: .clip, matrix: matrix, continues: continues, caption: "recordings/a.wav", note: "0.50 s, d 1.00")
    }

    @Test(arguments: 0..<8)
    func `a tone is on the pixels of its bin in every tile`(bin: Int) throws {
        let tile = Self.clip(Sample.tone(rows: 50, bins: 8, bright: [bin]))
        let (pixels, layout) = try Self.sheet([[tile, tile], [tile]]).drawn()
        let table = ColorTable.viridis.entries
        for area in layout.groups.flatMap(\.tiles) {
            for x in [area.x, area.x + area.width / 2, area.right - 1] {
                for y in area.y..<area.bottom {
                    // The bin under the middle of the row, counted from the bottom.
                    let found = Int((Double(area.bottom - 1 - y) + 0.5) / Double(area.height) * 8)
                    let above = Int(Double(area.bottom - y) / Double(area.height) * 8)
                    let below = Int(Double(area.bottom - 1 - y) / Double(area.height) * 8)
                    guard above == below else { continue }
                    #expect(pixels[x, y] == table[found == bin ? 255 : 0].hex, "row \(y) of \(area)")
                }
            }
        }
    }

    @Test func `samples are a waveform in every tile, without a colour bar`() throws {
        func tile(_ kind: SheetTile.Kind, _ samples: [Float]) -> SheetTile {
            SheetTile(kind: kind, matrix: FeatureMatrix(bins: 1, values: samples), caption: "a.wav", note: "0.50 s")
        }
        let still = tile(.clip, Array(repeating: 0, count: 400))
        let loud = tile(.clip, (0..<200).map { $0 % 2 == 0 ? -1 : 1 })
        let spread = tile(.spread, Array(repeating: 0.5, count: 400))
        let sheet = try ContactSheet(
            title: "speech.h5", subtitle: "samples",
            groups: [SheetGroup(title: "a", note: "", tiles: [still, loud, spread])],
            axis: .samples, framePeriod: 1e-4, frames: 400, valueLabel: "samples", span: .percentiles(0, 100),
            style: PictureStyle(width: 700))
        let (pixels, layout) = try sheet.drawn()
        #expect(layout.bars.isEmpty && layout.groups[0].tiles.count == 3)
        let (wave, empty) = (Theme.light.wave.hex, Theme.light.empty.hex)
        func column(_ tile: Int, _ x: Int) -> [UInt32] { pixels.column(x, of: layout.groups[0].tiles[tile]) }
        let area = layout.groups[0].tiles
        // Zeros are a line in the middle, others all of the height, and nothing follows their end.
        for x in [area[0].x, area[0].right - 1] {
            #expect(column(0, x).indices.filter { column(0, x)[$0] == wave } == [area[0].height / 2])
        }
        #expect(Set(column(1, area[1].x + 2)) == [wave] && Set(column(1, area[1].right - 2)) == [empty])
        // A scale of its own, whose end is the highest spread.
        #expect(column(2, area[2].x + 5).firstIndex(of: wave) == 0)
        #expect(
            SheetScales(sheet).words == "From the bottom to the top of a tile: -1 to 1; of a spread 0 to 0.5.",
            "\(SheetScales(sheet).words)")
    }

    @Test func `a click is at its time, and a clip that is shorter than a tile leaves its rest empty`() throws {
        var click = Sample.tone(rows: 20, bins: 8, bright: [])
        for bin in 0..<8 { click[10, bin] = 0 }
        let (pixels, layout) = try Self.sheet([[Self.clip(click)]]).drawn()
        let area = layout.groups[0].tiles[0]
        let row = pixels.row(area.y + 5, of: area)
        let bright = row.indices.filter { row[$0] == ColorTable.viridis.entries[255].hex }
        let width = Double(area.width)
        let (first, last) = (try #require(bright.first), try #require(bright.last))
        #expect(abs(Double(first) - width * 10 / 50) <= 1 && abs(Double(last) + 1 - width * 11 / 50) <= 1)
        let empty = row.indices.filter { row[$0] == Theme.light.empty.hex }
        let start = try #require(empty.first)
        #expect(abs(Double(start) - width * 20 / 50) <= 1 && empty.count == area.width - start)
    }

    @Test func `frames past the sheet's are not drawn and do not count; an arrow tells of them`() throws {
        var long = Sample.tone(rows: 80, bins: 8, bright: [3])
        for row in 50..<80 { for bin in 0..<8 { long[row, bin] = 1000 } }
        let short = Sample.tone(rows: 50, bins: 8, bright: [3])
        let sheets = try [
            Self.sheet([[Self.clip(long, continues: true)]], span: .percentiles(0, 100)),
            Self.sheet([[Self.clip(short)]], span: .percentiles(0, 100)),
        ]
        let (first, layout) = try sheets[0].drawn()
        let (second, other) = try sheets[1].drawn()
        let area = layout.groups[0].tiles[0]
        #expect(layout == other)
        for y in area.y..<area.bottom { #expect(first.row(y, of: area) == second.row(y, of: area)) }
        let beside = PixelRectangle(x: area.right + 2, y: area.y, width: 6, height: area.height)
        #expect(first.colors(in: beside).contains(Theme.light.ink.hex) && second.colors(in: beside) == [0xFFFFFF])
    }

    @Test func `equal values have equal colours in all clips and means; spreads have a range of their own`() throws {
        func flat(_ value: Float) -> FeatureMatrix {
            FeatureMatrix(bins: 8, values: Array(repeating: value, count: 400))
        }
        let tiles = [
            SheetTile(kind: .mean, matrix: flat(5), caption: "mean", note: ""),
            SheetTile(kind: .spread, matrix: flat(2), caption: "spread", note: ""), Self.clip(flat(0)),
            Self.clip(flat(5)),
            Self.clip(flat(10)),
        ]
        let (pixels, layout) = try Self.sheet([tiles], span: .percentiles(0, 100)).drawn()
        let found = layout.groups[0].tiles.map { pixels.colors(in: $0) }
        let table = ColorTable.viridis.entries
        #expect(found[2] == [table[0].hex] && found[4] == [table[255].hex] && found[0] == found[3])
        #expect(found[3] == [table[128].hex] && found[1] == [table[255].hex] && layout.bars.count == 2)
        #expect(try Self.sheet([[Self.clip(flat(1))]]).drawn().layout.bars.count == 1)
        // Where no clip is shown, the means decide.
        let means = try Self.sheet([Array(tiles[..<2])], span: .percentiles(0, 100))
        #expect(SheetScales(means).values.range.contains(5) && SheetScales(means).spread?.range == 0...2)
    }

    @Test func `frequencies may be spread in other ways than by bins`() throws {
        let tile = Self.clip(Sample.tone(rows: 50, bins: 8, bright: [0]))
        func bright(_ display: FrequencyDisplay) throws -> Int {
            let (pixels, layout) = try Self.sheet([[tile]], frequencies: display).drawn()
            let area = layout.groups[0].tiles[0]
            return pixels.column(area.x + 3, of: area).count { $0 == ColorTable.viridis.entries[255].hex }
        }
        #expect(try bright(.logarithmic) > 2 * bright(.bins))
    }

    @Test(arguments: PictureFormat.allCases)
    func `equal sheets give equal bytes in every format, and other themes and sizes other ones`(format: PictureFormat)
        throws
    {
        let tiles = (0..<12).map {
            Self.clip(Sample.tone(rows: 10 + 4 * $0, bins: 8, bright: [$0 % 8]), continues: $0 % 3 == 0)
        }
        let made = try (0..<2).map { _ in try Self.sheet([tiles, Array(tiles.prefix(2))]).file(as: format).bytes }
        #expect(made[0] == made[1] && !made[0].isEmpty)
        let dark = try Self.sheet([tiles, Array(tiles.prefix(2))], style: PictureStyle(theme: .dark, width: 700))
        #expect(try dark.file(as: format).bytes != made[0])
        if format == .png { #expect(try dark.drawn().pixels[0, 0] == Theme.dark.background.hex) }
    }

    @Test func `at twice the resolution the sheet has twice the pixels`() throws {
        let tiles = [Self.clip(Sample.tone(rows: 50, bins: 8, bright: [1]))]
        let one = try Self.sheet([tiles]).drawn().layout
        let two = try Self.sheet([tiles], style: PictureStyle(width: 700, dpi: 192)).drawn().layout
        #expect(two.width == 2 * one.width && abs(two.height - 2 * one.height) <= 2)
        #expect(abs(two.groups[0].tiles[0].width - 2 * one.groups[0].tiles[0].width) <= 4)
    }

    @Test func `sheets that cannot be drawn are refused; hostile texts are drawn`() throws {
        let tile = Self.clip(Sample.tone(rows: 5, bins: 8, bright: []))
        #expect(throws: PlotError.self) { try Self.sheet([]) }
        #expect(throws: PlotError.self) { try Self.sheet([[]]) }
        #expect(throws: PlotError.self) { try Self.sheet([[tile]], frames: 0) }
        #expect(throws: PlotError.self) {
            try Self.sheet([[tile, Self.clip(Sample.tone(rows: 5, bins: 9, bright: []))]])
        }
        let text = String(repeating: "long 日本語\u{0}\n🐦", count: 500)
        let hostile = SheetTile(
            kind: .clip, matrix: FeatureMatrix(bins: 8, values: [.nan, .infinity, 1, 2, 3, 4, 5, 6]), caption: text,
            note: text)
        let none = SheetTile(kind: .clip, matrix: FeatureMatrix(bins: 8), caption: "", note: "")
        let sheet = try ContactSheet(
            title: text, subtitle: text, notes: [text, ""],
            groups: [SheetGroup(title: text, note: text, tiles: [hostile, none])],
            axis: .coefficients, framePeriod: 1e-9, frames: 3, valueLabel: text, style: PictureStyle(width: 400))
        #expect(try !sheet.file(as: .png).bytes.isEmpty)
    }
}
