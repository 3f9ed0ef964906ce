import FeatureModel
import TestSupport
import Testing

@testable import Plotting

struct PanelTests {
    private func panel(
        rows: Int = 50, bins: Int = 20, value: Float = 0, title: String = "clip", envelope: SampleEnvelope? = nil
    ) throws -> SpectrogramPanel {
        var matrix = Sample.tone(rows: rows, bins: bins, bright: [3])
        matrix[0, 0] = value
        return try SpectrogramPanel(
            matrix: matrix, axis: .coefficients, framePeriod: 0.01, title: title, envelope: envelope)
    }

    @Test(arguments: [1, 2, 3, 7, 12, 30], 1...4)
    func `cells are of one size, inside, and apart`(count: Int, across: Int) {
        let area = PixelRectangle(x: 7, y: 9, width: 503, height: 701)
        let grid = PanelGrid(count: count, across: across, area: area, spaces: (x: 5, y: 3))
        #expect(grid.cells.count == count && grid.columns == min(count, across))
        #expect(Set(grid.cells.map { [$0.width, $0.height] }).count == 1)
        for (index, cell) in grid.cells.enumerated() {
            #expect(area.contains(cell))
            #expect(!grid.cells[..<index].contains { $0.overlaps(cell) })
        }
        // Below the lowest of each column there is none.
        let lowest = grid.cells.indices.filter(grid.isLowest)
        #expect(Set(lowest.map { grid.cells[$0].x }).count == grid.columns && lowest.count == grid.columns)
    }

    @Test func `panels have one range of values, one colour bar and one scale of time`() throws {
        let panels = [try panel(value: 40), try panel(rows: 25, value: -300), try panel(rows: 10)]
        let picture = try Sample.picture(
            panels: panels, span: .percentiles(0, 100), style: PictureStyle(width: 700, height: 900))
        let (pixels, layout) = try picture.drawn()
        #expect(layout.values.range == -300...40)
        #expect(layout.panels.map(\.body.width).allSatisfy { $0 == layout.body.width })
        let widths = layout.panels.map(\.filled.width)
        #expect(
            widths[0] == layout.body.width && abs(widths[1] * 2 - widths[0]) <= 1 && abs(widths[2] * 5 - widths[0]) <= 3
        )
        // Where the shorter panel has no frames, there is paper.
        let second = layout.panels[1]
        #expect(pixels[second.filled.right + 3, second.body.y + 5] == Theme.light.empty.hex)
        #expect(layout.panels.map(\.namesTime) == [false, false, true])
        for (index, panel) in layout.panels.enumerated() {
            #expect(panel.cell.contains(panel.body))
            #expect(!layout.panels[..<index].contains { $0.cell.overlaps(panel.cell) })
        }
        #expect(layout.bar.y >= layout.panels[0].body.y && layout.bar.bottom <= layout.panels[2].body.bottom)
    }

    @Test func `panels side by side`() throws {
        let picture = try Sample.picture(
            panels: Array(repeating: panel(), count: 5), across: 3, style: PictureStyle(width: 900, height: 600))
        let layout = try picture.drawn().layout
        #expect(
            layout.panels[0].body.y == layout.panels[2].body.y && layout.panels[3].body.y > layout.panels[2].body.bottom
        )
        #expect(layout.panels.map(\.namesTime) == [false, false, true, true, true])
    }

    @Test func `too many panels for a picture are refused, with what to change`() throws {
        let panels = try Array(repeating: panel(), count: 30)
        let error = #expect(throws: PlotError.self) { try Sample.picture(panels: panels).drawn() }
        guard case .invalidSetting("height", _, let expected)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(expected.hasPrefix("more for 30 panels"))
        #expect(throws: PlotError.self) {
            try Sample.picture(panels: panels, across: 30, style: PictureStyle()).drawn()
        }
        #expect(throws: PlotError.self) { try Sample.picture(panels: []) }
    }

    @Test func `the range is from percentiles, the peak, or as given, and the bar shows if values exceed it`() throws {
        var random = RandomSource(seed: 2)
        let values = random.samples(5000)
        let panel = try SpectrogramPanel(
            matrix: FeatureMatrix(bins: 10, values: values), axis: .coefficients, framePeriod: 0.01, title: "")
        let sorted = values.sorted()
        func layout(_ span: ValueSpan) throws -> PictureLayout {
            try Sample.picture(panels: [panel], span: span).drawn().layout
        }
        let percentiles = try layout(.percentiles(10, 90))
        #expect(percentiles.values.range == Double(sorted[499])...Double(sorted[4499]))
        #expect(percentiles.beyond.below && percentiles.beyond.above)
        let peak = try layout(.belowPeak(0.5))
        let greatest = Double(try #require(sorted.last))
        #expect(peak.values.range == greatest - 0.5...greatest)
        #expect(peak.beyond.below && !peak.beyond.above)
        let wide = try layout(.fixed(-2...2))
        #expect(!wide.beyond.below && !wide.beyond.above)
        #expect(peak.bar.y == wide.bar.y && peak.bar.bottom < percentiles.bodyBottom)
        for span in [ValueSpan.percentiles(5, 5), .percentiles(-1, 50), .percentiles(0, 101), .belowPeak(0)] {
            #expect(throws: PlotError.self) { try layout(span) }
        }
    }

    @Test func `triangles at the bar's ends have the colours of its ends`() throws {
        let panel = try SpectrogramPanel(
            matrix: FeatureMatrix(bins: 1, values: [-5, 0, 1, 5]), axis: .coefficients, framePeriod: 0.01, title: "")
        let (pixels, layout) = try Sample.picture(panels: [panel], span: .fixed(0...1)).drawn()
        let middle = layout.bar.x + layout.bar.width / 2
        #expect(pixels[middle, layout.bar.y - 2 * layout.sizes.line - 3] == ColorTable.viridis.entries[255].hex)
        #expect(pixels[middle, layout.bar.bottom + 2 * layout.sizes.line + 2] == ColorTable.viridis.entries[0].hex)
    }

    @Test func `the waveform's columns reach from the least to the greatest sample at their time`() throws {
        // 0.5 s at 1000 Hz: silence, except for a click up at 0.1 s and one down at 0.4 s.
        var samples = [Float](repeating: 0, count: 500)
        samples[100] = 0.8
        samples[400] = -0.4
        let envelope = SampleEnvelope(start: 0, step: 0.001, minima: samples, maxima: samples)
        let shown = try SpectrogramPanel(
            matrix: Sample.tone(rows: 50, bins: 4, bright: [1]), axis: .coefficients, framePeriod: 0.01,
            firstFrameTime: 0.005, title: "", envelope: envelope)
        let (pixels, layout) = try Sample.picture(panels: [shown], style: PictureStyle(width: 900, height: 500)).drawn()
        let strip = try #require(layout.panels[0].strip)
        #expect(strip.bottom < layout.body.y && strip.x == layout.body.x && strip.width == layout.body.width)
        let wave = Theme.light.wave.hex
        func rows(_ x: Int) -> [Int] { (0..<strip.height).filter { pixels[x, strip.y + $0] == wave } }
        func rows(at time: Double) -> [Int] { rows(strip.x + Int(time / 0.5 * Double(strip.width))) }
        let middle = strip.height / 2
        #expect(rows(at: 0.2) == [middle])
        #expect(rows(at: 0.1005).first == 0)
        #expect(abs((rows(at: 0.4005).last ?? 0) - strip.height * 3 / 4) <= 1)
        // The line has no gap.
        for x in strip.x + 1..<strip.right {
            let (before, here) = (rows(x - 1), rows(x))
            #expect(before.contains { row in here.contains { abs($0 - row) <= 1 } }, "column \(x)")
        }
        #expect(
            layout.panels[0].stripTicks.contains { $0.label.allSatisfy { "0.".contains($0) } && $0.position == 0.5 })
    }
}

extension PictureLayout {
    fileprivate var bodyBottom: Int { body.bottom }
}
