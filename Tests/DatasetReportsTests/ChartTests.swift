import Testing

@testable import DatasetReports

struct ChartTests {
    @Test func `lengths have two decimals at most`() {
        for (value, text) in [
            (0, "0"), (-0.001, "0"), (1.005, "1"), (2.5, "2.5"), (3.14159, "3.14"), (-7.07, "-7.07"), (100, "100"),
            (0.999, "1"), (.nan, "0"), (12.3, "12.3"),
        ] as [(Double, String)] {
            let found = SVGDrawing.number(value)
            #expect(found == text || (value == 1.005 && found == "1.01"), "\(value): \(found)")
        }
    }

    @Test func `values are in proportion between the edges`() {
        let frame = ChartFrame(horizontal: -2...6, vertical: 0...50)
        #expect(frame.x(-2) == frame.left && frame.x(6) == frame.right && frame.x(2) == (frame.left + frame.right) / 2)
        #expect(frame.y(0) == frame.bottom && frame.y(50) == frame.top && frame.y(25) == (frame.top + frame.bottom) / 2)
        let growing = ChartFrame(horizontal: 1...100, vertical: 0...1, isLogarithmic: true)
        #expect(abs(growing.x(10) - (growing.left + growing.right) / 2) < 1e-9)
    }

    @Test func `ticks are round numbers at the positions of their values`() {
        let frame = ChartFrame(horizontal: 0...7.3, vertical: 0...105)
        #expect(frame.verticalTicks.map(\.label) == ["0", "50", "100"])
        #expect(frame.horizontalTicks.map(\.label) == ["0", "1", "2", "3", "4", "5", "6", "7"])
        for tick in frame.horizontalTicks {
            #expect(
                abs(frame.left + tick.position * (frame.right - frame.left) - frame.x(Double(tick.label) ?? -1)) < 1e-9)
        }
        let growing = ChartFrame(horizontal: 0.8...12.5, vertical: 0...1, isLogarithmic: true)
        #expect(growing.horizontalTicks.map(\.label) == ["1", "2", "5", "10"])
        let wide = ChartFrame(horizontal: 0.01...5000, vertical: 0...1, isLogarithmic: true)
        #expect(wide.horizontalTicks.map(\.label) == ["0.01", "0.1", "1", "10", "100", "1000"])
        for tick in wide.horizontalTicks {
            #expect(abs(wide.left + tick.position * (wide.right - wide.left) - wide.x(Double(tick.label) ?? -1)) < 1e-9)
        }
    }

    @Test func `a bar of the durations is as high as its count, and is over its interval`() throws {
        let report = try SampleDataset().report()
        let figure = try #require(DurationFigure.make(report))
        let histogram = try #require(report.summary.durations.histogram)
        let most = Double(histogram.counts.max() ?? 0)
        let edges = histogram.edges
        let frame = ChartFrame(
            horizontal: edges[0]...edges[edges.count - 1], vertical: 0...most * 1.05,
            isLogarithmic: histogram.spacing == .logarithmic)
        let bars = figure.drawing.markup.split(separator: "\n").filter { $0.hasPrefix("<rect class=\"s0\"") }
        let filled = histogram.counts.indices.filter { histogram.counts[$0] > 0 }
        try #require(bars.count == filled.count && !bars.isEmpty)
        for (bar, clipIndex) in zip(bars, filled) {
            let count = Double(histogram.counts[clipIndex])
            let height = SVGDrawing.number(frame.bottom - frame.y(count))
            let left = SVGDrawing.number(frame.x(edges[clipIndex]) + 0.5)
            #expect(bar.contains(" x=\"\(left)\"") && bar.contains(" height=\"\(height)\""), "\(bar)")
        }
    }

    @Test func `of very many bins a bounded number is shown, from the first to the last`() {
        #expect(BinFigure.chosen(of: 1) == [0] && BinFigure.chosen(of: 256) == Array(0..<256))
        for count in [257, 600, 32_769] {
            let chosen = BinFigure.chosen(of: count)
            #expect(chosen.count == 256 && Set(chosen).count == 256 && chosen == chosen.sorted())
            #expect(chosen.first == 0 && chosen.last == count - 1)
        }
    }
}
