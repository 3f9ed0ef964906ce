import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Plotting

/// Slaney's mel scale, written down a second time: 200/3 Hz a mel up to 1 kHz, then 27 mel for each factor of 6.4.
private func slaney(_ hertz: Double) -> Double {
    hertz < 1000 ? 3 * hertz / 200 : 15 + 27 * log(hertz / 1000) / log(6.4)
}

private func slaneyHertz(_ mel: Double) -> Double { mel < 15 ? mel * 200 / 3 : 1000 * exp((mel - 15) * log(6.4) / 27) }

struct FrequencyAxisTests {
    private static let bins = 257
    private static let top = 8000.0
    /// The height of a frequency between two ends, on each axis.
    private static let axes: [(name: String, display: FrequencyDisplay, height: @Sendable (Double) -> Double)] = [
        // Bin k of 257 has its centre at (k + ½) / 257; the step is 31.25 Hz.
        ("bins", .bins, { ($0 / 31.25 + 0.5) / 257 }),
        // The linear axis begins at 0 Hz and ends half a step above the last bin.
        ("linear", .linear, { $0 / (8000 + 15.625) }),
        (
            "mel", .warped(FrequencyWarp(name: "mel scale", value: slaney, hertz: slaneyHertz)),
            { slaney($0) / slaney(8015.625) }
        ),
        // Octaves start at the edge between bins 0 and 1.
        ("log", .logarithmic, { log($0 / 15.625) / log(8015.625 / 15.625) }),
        ("musical", .musical(tuning: 440), { log($0 / 15.625) / log(8015.625 / 15.625) }),
    ]

    @Test(arguments: [1000.0, 4000.0], 0..<5)
    func `a tone is at its height on every axis, to a pixel, and nowhere else`(hertz: Double, index: Int) throws {
        let axis = Self.axes[index]
        let bin = Int(hertz / 31.25)
        let panel = try SpectrogramPanel(
            matrix: Sample.tone(rows: 12, bins: Self.bins, bright: [bin]),
            axis: .frequencies(Sample.linear(bins: Self.bins, top: Self.top)), framePeriod: 0.01, title: "tone")
        let picture = try Sample.picture(
            panels: [panel], span: .fixed(-100...0), frequencies: axis.display,
            style: PictureStyle(width: 640, height: 900))
        let (pixels, layout) = try picture.drawn()
        let body = layout.body
        let dark = try #require(ColorTable.viridis.entries.first).hex
        let column = pixels.column(body.x + 50, of: body)
        let rows = column.indices.filter { column[$0] != dark }
        let expected = (1 - axis.height(hertz)) * Double(body.height)
        // The band that belongs to the bin: half a step to either side.
        let upper = (1 - axis.height(hertz + 15.625)) * Double(body.height)
        let lower = (1 - axis.height(hertz - 15.625)) * Double(body.height)
        let first = try #require(rows.first)
        let last = try #require(rows.last)
        let middle = Double(first + last + 1) / 2
        #expect(abs(Double(first) - upper) <= 1, "\(axis.name): \(rows)")
        #expect(abs(Double(last + 1) - lower) <= 1, "\(axis.name): \(rows)")
        #expect(abs(middle - expected) <= 1, "\(axis.name): \(rows)")
    }

    @Test(arguments: 0..<5)
    func `the ticks of an axis are where the formula puts them`(index: Int) throws {
        let axis = Self.axes[index]
        let scale = try BinScale(
            .frequencies(Sample.linear(bins: Self.bins, top: Self.top)), bins: Self.bins, display: axis.display,
            spacing: 0.06)
        #expect(scale.ticks.count >= 6)
        for tick in scale.ticks {
            let note = MusicalPitch(note: tick.label.replacing("♯", with: "#").replacing("−", with: "-"))
            let hertz = try #require(note?.frequency(tuning: 440) ?? Double(tick.label))
            #expect(abs(tick.position - axis.height(hertz)) < 1e-4, "\(axis.name): \(tick)")
        }
        let steps = zip(scale.ticks, scale.ticks.dropFirst()).map { $1.position - $0.position }
        #expect(steps.allSatisfy { $0 >= 0.0599 })
    }

    @Test(arguments: 1..<5)
    func `every bin of the axis' range is on some row, rows rise, and none is empty`(index: Int) throws {
        for bins in [3, 40, 257, 1500] {
            let scale = try FrequencyScale(Sample.linear(bins: bins, top: 8000), display: Self.axes[index].display)
            for height in [10, 301, 2000] {
                let rows = scale.rows(height)
                #expect(rows.count == height && rows.allSatisfy { !$0.isEmpty })
                #expect(
                    zip(rows, rows.dropFirst()).allSatisfy {
                        $0.upperBound <= $1.upperBound && $0.lowerBound <= $1.lowerBound
                    })
                // Octaves leave out bin 0.
                let shown = Set(rows.flatMap(Array.init))
                let first = index >= 3 ? 1 : 0
                #expect(shown.isSuperset(of: Set(first..<bins)), "\(bins) bins, \(height) rows")
            }
        }
    }

    @Test func `a band crops the axis to its frequencies and the range of values to its bins`() throws {
        var matrix = Sample.tone(rows: 10, bins: 257, bright: [32, 128])
        for row in 0..<10 { matrix[row, 250] = 500 }
        let panel = try SpectrogramPanel(
            matrix: matrix, axis: .frequencies(Sample.linear(bins: 257, top: 8000)), framePeriod: 0.01, title: "")
        for display in [FrequencyDisplay.linear, .bins] {
            let (pixels, layout) = try Sample.picture(
                panels: [panel], span: .percentiles(0, 100), frequencies: display, band: 500...2000
            ).drawn()
            #expect(layout.values.range == -100...0)
            let body = layout.body
            let column = pixels.column(body.x, of: body)
            let rows = column.indices.filter { column[$0] == ColorTable.viridis.entries[255].hex }
            let expected = (2000 - 1000) / 1500.0 * Double(body.height)
            let middle = Double(rows.reduce(0, +)) / Double(rows.count) + 0.5
            #expect(abs(middle - expected) < (display.isLogarithmic ? 1 : 7))
            #expect(try #require(layout.bins.range).lowerBound >= 484 && layout.bins.range?.upperBound ?? 0 <= 2016)
        }
    }

    @Test func `values without frequencies, and bands without bins, are refused in words`() throws {
        let coefficients = try SpectrogramPanel(
            matrix: Sample.tone(rows: 2, bins: 13, bright: [1]), axis: .coefficients, framePeriod: 0.01, title: "")
        let error = #expect(throws: PlotError.self) {
            try Sample.picture(panels: [coefficients], frequencies: .logarithmic)
        }
        guard case .invalidSetting(_, let found, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.contains("without a frequency"))
        #expect(throws: PlotError.self) { try Sample.picture(panels: [coefficients], band: 100...200) }
        let tone = try SpectrogramPanel(
            matrix: Sample.tone(rows: 2, bins: 3, bright: [1]), axis: .frequencies([0, 100, 200]), framePeriod: 0.01,
            title: "")
        let outside = #expect(throws: PlotError.self) { try Sample.picture(panels: [tone], band: 500...600) }
        #expect(
            outside == .invalidSetting(name: "band", found: "500 to 600 Hz", expected: "frequencies within 0 to 250 Hz")
        )
    }

    @Test func `notes: every C, and more where there is room`() throws {
        let frequencies = (0..<712).map { Float(440 * pow(2, Double($0 - 360) / 96)) }
        let scale = try FrequencyScale(frequencies, display: .musical(tuning: 440))
        func labels(_ spacing: Double) -> [String] {
            NoteTicks.ticks(scale, tuning: 440, spacing: spacing).map(\.label)
        }
        #expect(labels(0.09) == ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"])
        #expect(labels(0.05).prefix(4) == ["C1", "G1", "C2", "G2"])
        #expect(labels(0.011).prefix(4) == ["C1", "C♯1", "D1", "D♯1"])
    }

    @Test func `another tuning moves the notes`() throws {
        let frequencies = Sample.linear(bins: 100, top: 1000)
        let scale = try FrequencyScale(frequencies, display: .musical(tuning: 432))
        let tick = try #require(NoteTicks.ticks(scale, tuning: 432, spacing: 0.02).first { $0.label == "A4" })
        #expect(abs(tick.position - (scale.position(432) ?? 0)) < 1e-9)
    }
}
