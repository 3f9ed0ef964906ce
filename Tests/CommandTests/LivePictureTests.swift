import FeatureModel
import Foundation
import LiveAnalysis
import SignalProcessing
import Terminal
import TestSupport
import Testing

@testable import veery

/// What panes draw of rows whose content is known.
struct LivePictureTests {
    private static func source(_ preset: Preset, sampleRate: Double = 44_100) throws -> PaneSource {
        let configuration = try preset.configuration()
        let plan = try FeaturePlan(
            configuration, sampleRate: configuration.audio.sampleRate.map(Double.init) ?? sampleRate)
        return PaneSource(plan, bins: plan.bins)
    }

    private static func style(_ depth: ColorDepth) -> LiveStyle {
        LiveStyle(depth: depth, colors: (0..<256).map { UInt32($0) << 16 | UInt32($0) << 8 | UInt32($0) })
    }

    /// How bright a cell is, as its style draws values.
    private static func level(_ cell: Cell) -> Int {
        max(Int(cell.foreground.components?.red ?? 0), Int(cell.background.components?.red ?? 0))
    }

    @Test(arguments: [1000.0, 5000, 15_000])
    func `a tone lights the row of its frequency, in the newest columns alone`(hertz: Double) throws {
        let source = try Self.source(.scrollingDCT)
        var pane = SpectrogramPane(source, span: 10, range: 0...30)
        let bin = Int((hertz / 22_050 * 1024).rounded())
        let silence = [Float](repeating: -80, count: 1024)
        var row = silence
        row[bin] = 30
        for _ in 0..<200 { pane.add(silence) }
        for _ in 0..<100 { pane.add(row) }
        var grid = CellGrid(width: 86, height: 21)
        pane.draw(into: &grid, at: grid.region, style: Self.style(.full), elapsed: 0.03)
        // 20 rows of two values above the time axis.
        let lit = 19 - bin * 40 / 1024 / 2
        for y in 0..<20 {
            #expect((Self.level(grid[84, y]) > 200) == (y == lit), "row \(y) at the right")
            #expect(Self.level(grid[66, y]) < 50, "row \(y) before the tone")
        }
        pane.clear()
        grid.clear()
        pane.draw(into: &grid, at: grid.region, style: Self.style(.full), elapsed: 0.03)
        #expect((6..<86).allSatisfy { x in (0..<20).allSatisfy { grid[x, $0] == .blank } })
    }

    @Test func `rows of falling frequencies are drawn as those of rising ones`() throws {
        func pane(_ order: BandOrder, _ row: [Float]) throws -> (CellGrid, PaneSource) {
            let configuration = try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 16_000), frame: .standard,
                transform: .mel(MelConfiguration(bins: 40, order: order)), scale: ScaleConfiguration(kind: .db),
                normalize: .none)
            let plan = try FeaturePlan(configuration, sampleRate: 16_000)
            let source = PaneSource(plan, bins: plan.bins)
            var panes: [any LivePane] = [
                SpectrogramPane(source, span: 10, range: 0...30), BarsPane(source, range: 0...30),
                CurvePane(source, range: 0...30),
            ]
            var grid = CellGrid(width: 86, height: 90)
            for number in panes.indices {
                for _ in 0..<20 { panes[number].add(row) }
                let region = CellRegion(column: 0, row: 30 * number, width: 86, height: 30)
                panes[number].draw(into: &grid, at: region, style: Self.style(.full), elapsed: 0.03)
            }
            return (grid, source)
        }
        let row = (0..<40).map { Float($0 % 7) * 4 }
        let (rising, source) = try pane(.ascending, row)
        let (falling, other) = try pane(.descending, row.reversed())
        for y in 0..<90 { for x in 0..<86 { #expect(rising[x, y] == falling[x, y], "\(x), \(y)") } }
        #expect(source.frequencies == other.frequencies && other.labels.hasFrequencies)
    }

    @Test func `a picture does not depend on how rows came, and a new size keeps what was seen`() throws {
        let source = try Self.source(.scrollingDCT)
        var random = RandomSource(seed: 11)
        let rows = (0..<500).map { _ in random.samples(1024).map { 15 + 15 * $0 } }
        var (single, several) = (
            SpectrogramPane(source, span: 2, range: 0...30), SpectrogramPane(source, span: 2, range: 0...30)
        )
        for row in rows { single.add(row) }
        var start = 0
        var small = CellGrid(width: 60, height: 12)
        while start < rows.count {
            let count = min(Int.random(in: 1...40, using: &random), rows.count - start)
            several.add(Array(rows[start..<start + count].joined()))
            start += count
            small.clear()
            several.draw(into: &small, at: small.region, style: Self.style(.full), elapsed: 0.03)
        }
        for (width, height) in [(60, 12), (80, 24), (200, 50), (7, 2)] {
            var (first, second) = (CellGrid(width: width, height: height), CellGrid(width: width, height: height))
            single.draw(into: &first, at: first.region, style: Self.style(.full), elapsed: 0)
            several.draw(into: &second, at: second.region, style: Self.style(.full), elapsed: 0)
            #expect(first == second, "\(width) × \(height)")
        }
    }

    @Test func `every display draws at every size, with colours and without, before and after rows have come`() throws {
        var panes: [any LivePane] = [
            SpectrogramPane(try Self.source(.logMel), span: 10, range: nil),
            SpectrogramPane(try Self.source(.scrollingDCT), span: 0, range: 0...30),
            SpectrogramPane(try Self.source(.kaldiMFCC), span: 1, range: nil),
            BarsPane(try Self.source(.mixerFFT), range: nil),
            NotesPane(try Self.source(.musicalSpectrum), tuning: 440, range: nil),
            CurvePane(try Self.source(.liveWaveform), range: nil),
            EqualizerPane(
                try Self.source(.scrollingDCT),
                equalizer: LiveEqualizer(LiveEqualizer.Band(mode: .bandPass, bins: 64...256)), inputRate: 44_100,
                range: nil),
        ]
        let bins = [80, 1024, 13, 256, 712, 200, 1024]
        var random = RandomSource(seed: 5)
        for number in panes.indices {
            for turn in 0..<3 {
                for (width, height) in [(80, 22), (200, 48), (1, 1), (8, 3), (20, 4), (13, 40)] {
                    for depth in ColorDepth.allCases {
                        var grid = CellGrid(width: width, height: height)
                        panes[number].draw(into: &grid, at: grid.region, style: Self.style(depth), elapsed: 0.1)
                        if depth == .ascii {
                            #expect(
                                (0..<width).allSatisfy { x in
                                    (0..<height).allSatisfy { y in
                                        grid[x, y].scalar.isASCII && grid[x, y].foreground == .standard
                                    }
                                })
                        }
                    }
                }
                if turn == 0 { panes[number].add(random.samples(bins[number] * 7)) }
                if turn == 1 { panes[number].add([Float](repeating: .infinity, count: bins[number])) }
            }
        }
    }

    @Test func `there is a picture of any kind on the smallest screen`() throws {
        var panes: [any LivePane] = [
            SpectrogramPane(try Self.source(.scrollingDCT), span: 0, range: 0...30),
            BarsPane(try Self.source(.mixerFFT), range: -90...0),
            NotesPane(try Self.source(.musicalSpectrum), tuning: 440, range: nil),
            CurvePane(try Self.source(.liveWaveform), range: nil),
            EqualizerPane(
                try Self.source(.scrollingDCT),
                equalizer: LiveEqualizer(LiveEqualizer.Band(mode: .bandPass, bins: 64...256)), inputRate: 44_100,
                range: nil),
        ]
        for (number, bins) in [1024, 256, 712, 200, 1024].enumerated() {
            panes[number].add([Float](repeating: 25, count: bins))
            // 20 by 5, without the rows of title and keys.
            var grid = CellGrid(width: 20, height: 3)
            panes[number].draw(into: &grid, at: grid.region, style: Self.style(.full), elapsed: 0.1)
            let drawn = (0..<20).flatMap { x in (0..<2).map { grid[x, $0] } }
                .filter {
                    $0 != .blank && !$0.scalar.properties.isAlphabetic && $0.scalar.properties.numericType == nil
                }
            #expect(!drawn.isEmpty, "display \(number)")
        }
    }

    @Test func `the strongest note is named, and marked on the axis`() throws {
        let source = try Self.source(.musicalSpectrum)
        var pane = NotesPane(source, tuning: 440, range: nil)
        var row = [Float](repeating: 0.001, count: 712)
        let point = try #require(
            source.frequencies.indices.min { abs(source.frequencies[$0] - 440) < abs(source.frequencies[$1] - 440) })
        row[point] = 300
        pane.add(row)
        var grid = CellGrid(width: 80, height: 22)
        pane.draw(into: &grid, at: grid.region, style: Self.style(.full), elapsed: 0.03)
        #expect(LiveText.row(0, of: grid).contains("A4"))
        #expect(LiveText.row(20, of: grid).contains("C"))
        #expect(LiveText.row(21, of: grid).filter(\.isNumber) == "12345678")
    }

    @Test func `a stopped curve is a line at zero; one of 25 equal values is level and as high as they are`() throws {
        var pane = CurvePane(try Self.source(.liveWaveform), range: nil)
        func rows(_ pane: inout CurvePane) -> Set<Int> {
            var grid = CellGrid(width: 60, height: 21)
            pane.draw(into: &grid, at: grid.region, style: Self.style(.full), elapsed: 0)
            return Set((0..<20).filter { y in (6..<60).contains { grid[$0, y] != .blank } })
        }
        #expect(rows(&pane) == [19])
        pane.add([Float](repeating: 50, count: 200))
        #expect(rows(&pane).isSubset(of: [9, 10]))
        pane.add([Float](repeating: 100, count: 200))
        #expect(rows(&pane) == [0])
        pane.clear()
        #expect(rows(&pane) == [19])
    }

    @Test func `the envelope is drawn high where frequencies pass, and low where they are removed`() throws {
        let equalizer = LiveEqualizer(LiveEqualizer.Band(mode: .bandPass, bins: 256...512))
        var pane = EqualizerPane(try Self.source(.scrollingDCT), equalizer: equalizer, inputRate: 44_100, range: nil)
        func line(_ x: Int) -> Int? {
            var grid = CellGrid(width: 86, height: 22)
            pane.draw(into: &grid, at: grid.region, style: Self.style(.full), elapsed: 0)
            return (1..<21).first { grid[6 + x, $0].scalar == "━" }
        }
        #expect(line(10) == 20 && line(30) == 1 && line(60) == 20)
        equalizer.band = equalizer.band.turned
        #expect(line(10) == 1 && line(30) == 20 && line(60) == 1)
    }
}

/// The text of a picture.
enum LiveText {
    static func row(_ row: Int, of grid: CellGrid) -> String {
        String(String.UnicodeScalarView((0..<grid.width).map { grid[$0, row].scalar }))
    }
}
