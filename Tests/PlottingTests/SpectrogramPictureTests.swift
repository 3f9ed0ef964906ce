import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Plotting

struct SpectrogramPictureTests {
    @Test func `a picture is a PNG of the size asked for, in 24-bit colours`() throws {
        let bytes = try Sample.picture(Sample.tone(rows: 5, bins: 8, bright: [2]), width: 700, height: 333).pngBytes()
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(bytes[12..<16].elementsEqual("IHDR".utf8))
        #expect(bytes[16..<24] == [0, 0, 2, 0xBC, 0, 0, 1, 0x4D])
        // 8 bits a component; type 2: red, green and blue.
        #expect(bytes[24..<26] == [8, 2])
        #expect(bytes.suffix(8).prefix(4).elementsEqual("IEND".utf8))
    }

    @Test func `equal pictures give equal bytes, and the file holds these`() throws {
        let frequencies = Sample.mel(bins: 40, top: 8000)
        let matrix = Sample.chirp(rows: 100, frequencies: frequencies, top: 8000)
        let picture = try Sample.picture(matrix, axis: .frequencies(frequencies), subtitle: "label")
        let bytes = try picture.pngBytes()
        #expect(try picture.pngBytes() == bytes)
        let folder = try TemporaryFolder()
        try picture.writePNG(to: folder.path("clip.png"))
        #expect(try Data(contentsOf: folder.url.appending(path: "clip.png")) == Data(bytes))
    }

    @Test func `pictures are drawn alike from several tasks at once`() async throws {
        let picture = try Sample.picture(Sample.tone(rows: 50, bins: 30, bright: [3, 9]))
        let expected = try picture.pngBytes()
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<6 { group.addTask { try picture.pngBytes() } }
            for try await bytes in group { #expect(bytes == expected) }
        }
    }

    @Test(arguments: [0, 1, 13, 63])
    func `a tone appears at its bin's rows over the whole time, and nowhere else`(bin: Int) throws {
        let matrix = Sample.tone(rows: 30, bins: 64, bright: [bin])
        let (pixels, layout) = try Sample.picture(matrix, range: -100...0).drawn()
        let body = layout.body
        let bright = try #require(ColorTable.viridis.entries.last).hex
        let dark = try #require(ColorTable.viridis.entries.first).hex
        for x in body.x..<body.right {
            for y in body.y..<body.bottom {
                let height = Double(body.bottom - y) - 0.5
                let isTone = Int(height * 64 / Double(body.height)) == bin
                #expect(pixels[x, y] == (isTone ? bright : dark), "\(x), \(y)")
            }
        }
    }

    @Test(arguments: [320, 400, 640, 1000], [TimeDisplay.clock, .automatic, .minutes])
    func `the number of the last tick is whole, though no colour bar is beside it`(width: Int, time: TimeDisplay) throws
    {
        for seconds in [0.3, 1, 8.1, 10, 60, 3600, 86_399] {
            let panel = try SpectrogramPanel(
                matrix: FeatureMatrix(bins: 1, values: Array(repeating: 0.5, count: 400)), axis: .samples,
                framePeriod: seconds / 400, firstFrameTime: seconds / 800, title: "")
            let picture = try Sample.picture(
                panels: [panel], time: time, begins: ClockTime("2024-05-01T05:30:00"),
                style: PictureStyle(width: width, height: 200))
            let (canvas, layout, _) = try picture.draw(.png)
            #expect(!picture.hasColors)
            let last = try #require(layout.timeTicks.last)
            let middle = Double(layout.body.x) + last.position * Double(layout.body.width)
            let right = middle + canvas.width(of: last.label, style: layout.sizes.number) / 2
            #expect(right <= Double(width), "\(last.label) of \(seconds) s ends at \(right)")
        }
    }

    @Test func `samples are drawn as a waveform: its values on the axis, and no colours`() throws {
        // A step from −1 to 1 at half of the time, with values that have no place.
        var samples = (0..<4000).map { Float($0 < 2000 ? -1 : 1) }
        samples[10] = .nan
        samples[3000] = .infinity
        let style = try PictureStyle(width: 640, height: 300)
        let panel = try SpectrogramPanel(
            matrix: FeatureMatrix(bins: 1, values: samples), axis: .samples, framePeriod: 1 / 16_000, title: "a.wav")
        let (pixels, layout) = try Sample.picture(panels: [panel], span: .fixed(-2...2), style: style).drawn()
        let body = layout.body
        #expect(
            layout.bins.labels == ["dB"] && layout.bins.ticks.contains { Double($0.label) == 0 && $0.position == 0.5 })
        // Nothing but the wave is drawn, which is a line in each half, and one that joins them.
        #expect(pixels.colors(in: body.inset(by: 2) ?? body) == [style.theme.empty.hex, style.theme.wave.hex])
        func rows(_ x: Int) -> [Int] {
            (body.y + 2..<body.bottom - 2).filter { pixels[x, $0] == style.theme.wave.hex }.map { $0 - body.y }
        }
        #expect(rows(body.x + body.width / 4) == [body.height * 3 / 4])
        #expect(rows(body.x + body.width * 3 / 4) == [body.height / 4])
        #expect((0..<body.width).contains { rows(body.x + $0).count > body.height / 3 })
        // What colours took of the width is the panel's.
        let other = try SpectrogramPanel(
            matrix: panel.matrix, axis: .coefficients, framePeriod: 1 / 16_000, title: "a.wav")
        #expect(try Sample.picture(panels: [other], style: style).drawn().layout.body.width < body.width)
    }

    @Test func `the tick of a frequency is beside the bin that holds it`() throws {
        let frequencies = Sample.mel(bins: 80, top: 8000)
        let bin = try #require(frequencies.indices.min { abs(frequencies[$0] - 1000) < abs(frequencies[$1] - 1000) })
        let matrix = Sample.tone(rows: 3, bins: 80, bright: [bin])
        let (pixels, layout) = try Sample.picture(matrix, axis: .frequencies(frequencies), range: -100...0).drawn()
        let body = layout.body
        let column = pixels.column(body.x, of: body)
        let bright = column.indices.filter { column[$0] == ColorTable.viridis.entries[255].hex }
        let tick = try #require(layout.bins.ticks.first { $0.label == "1000" })
        let row = Int((1 - tick.position) * Double(body.height))
        let first = try #require(bright.first)
        let last = try #require(bright.last)
        #expect((first - 1...last + 1).contains(row))
        // The mark itself, left of the frame.
        let markColumn = body.x - layout.sizes.line - 1
        #expect(pixels[markColumn, body.y + row] == 0x222222)
        #expect(pixels[markColumn, body.y + row + 3] == 0xFFFFFF)
    }

    @Test func `a click appears at its time`() throws {
        var matrix = FeatureMatrix(bins: 4, values: Array(repeating: 0, count: 400))
        for bin in 0..<4 { matrix[25, bin] = 1 }
        let (pixels, layout) = try Sample.picture(matrix, colors: .grey, range: 0...1).drawn()
        let row = pixels.row(layout.body.y + 10, of: layout.body)
        let bright = row.indices.filter { row[$0] == 0xFFFFFF }
        #expect(!bright.isEmpty)
        #expect(bright.allSatisfy { Int((Double($0) + 0.5) * 100 / Double(row.count)) == 25 })
    }

    @Test func `one frame fills the plot`() throws {
        let (pixels, layout) = try Sample.picture(FeatureMatrix(bins: 2, values: [0, 1]), colors: .grey).drawn()
        let body = layout.body
        #expect(Set(pixels.row(body.y, of: body)) == [0xFFFFFF])
        #expect(Set(pixels.row(body.bottom - 1, of: body)) == [0x000000])
    }

    @Test func `the colour bar runs from the first colour at the bottom to the last at the top`() throws {
        let (pixels, layout) = try Sample.picture(Sample.tone(rows: 2, bins: 3, bright: [1]), colors: .magma).drawn()
        #expect(pixels[layout.bar.x, layout.bar.y] == ColorTable.magma.entries[255].hex)
        #expect(pixels[layout.bar.right - 1, layout.bar.bottom - 1] == ColorTable.magma.entries[0].hex)
        #expect(layout.valueTicks.map(\.label) == ["−100", "−80", "−60", "−40", "−20", "0"])
    }

    @Test func `silence and constants draw in one colour`() throws {
        for value in [Float(0), -100, 1e-30, .greatestFiniteMagnitude] {
            let matrix = FeatureMatrix(bins: 5, values: Array(repeating: value, count: 50))
            let (pixels, layout) = try Sample.picture(matrix).drawn()
            #expect(pixels.colors(in: layout.body) == [ColorTable.viridis.entries[128].hex])
        }
    }

    @Test func `faults have a colour of their own`() throws {
        let matrix = FeatureMatrix(bins: 3, values: [.nan, 0, 1, .infinity, 0, 1, -.infinity, 0, 1])
        let (pixels, layout) = try Sample.picture(matrix).drawn()
        let body = layout.body
        #expect(Set(pixels.row(body.bottom - 1, of: body)) == [ColorTable.viridis.invalid.hex])
        #expect(Set(pixels.row(body.y, of: body)) == [ColorTable.viridis.entries[255].hex])
        let nothing = FeatureMatrix(bins: 3, values: Array(repeating: .nan, count: 9))
        let faulty = try Sample.picture(nothing).drawn()
        #expect(faulty.pixels.colors(in: faulty.layout.body) == [ColorTable.viridis.invalid.hex])
    }

    @Test func `no frames: the plot says so, without times and without a colour bar`() throws {
        let (pixels, layout) = try Sample.picture(FeatureMatrix(bins: 40)).drawn()
        let colors = pixels.colors(in: layout.body)
        #expect(colors.contains(0xF4F4F4) && colors.count > 3)
        #expect(pixels.colors(in: layout.bar) == [0xFFFFFF])
        #expect(layout.timeTicks.isEmpty)
    }

    @Test(arguments: [(100_000, 3), (2, 8000), (1, 1), (3000, 1)])
    func `long, high and tiny matrices draw`(rows: Int, bins: Int) throws {
        var random = RandomSource(seed: 9)
        let frequencies = (0..<bins).map { Float($0) * 2 }
        let matrix = FeatureMatrix(bins: bins, values: random.samples(rows * bins))
        let picture = try Sample.picture(matrix, axis: .frequencies(frequencies))
        #expect(try picture.drawn().pixels.colors(in: picture.drawn().layout.body).count > (rows * bins == 1 ? 0 : 20))
    }

    @Test func `pictures of the least and of unusual sizes draw with a body`() throws {
        let matrix = Sample.tone(rows: 20, bins: 20, bright: [4])
        for (width, height) in [(320, 200), (20_000, 200), (320, 3000), (2000, 840)] {
            let (pixels, layout) = try Sample.picture(matrix, subtitle: "x", width: width, height: height).drawn()
            #expect(pixels.width == width && pixels.height == height)
            #expect(layout.body.width >= 100 && layout.body.height >= 60)
            #expect(layout.bar.right < width && layout.body.right < layout.bar.x)
            #expect(layout.valueTicks.count > 1 && layout.bins.ticks.count > 1)
        }
    }
}
