import FeatureModel
import Foundation
import Presentation
import TestSupport
import Testing

@testable import Plotting

struct FilterBankTests {
    private static let bins = Sample.linear(bins: 257, top: 8000)

    /// Triangles with their peaks at bins.
    private static func triangles(_ peaks: [Int], reach: Int) -> [SpectrumBand] {
        peaks.map { peak in
            SpectrumBand(
                center: Double(bins[peak]), firstBin: peak - reach + 1,
                weights: (1 - reach..<reach).map { 1 - Double(abs($0)) / Double(reach) })
        }
    }

    private static func picture(
        _ curves: [SpectrumBand], edges: [Double] = [], isPlain: Bool = false, display: FrequencyDisplay = .linear,
        band: ClosedRange<Double>? = nil, style: PictureStyle? = nil
    ) throws -> FilterBankPicture {
        FilterBankPicture(
            title: "preset", subtitle: "16000 Hz",
            bank: try BankPanel(
                title: "bands", bins: bins, curves: curves, isPlain: isPlain, numbering: "Band", edges: edges),
            window: WindowPanel(
                title: "window", values: (0..<400).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / 400) },
                sampleRate: 16_000, hop: 160),
            frequencies: display, band: band, style: try style ?? PictureStyle(width: 1000, height: 560))
    }

    /// The uppermost pixel of a body that is not the background.
    private func top(_ pixels: Raster, _ body: PixelRectangle, from x: ClosedRange<Int>) -> (x: Int, y: Int)? {
        for y in body.y..<body.bottom {
            for column in x where pixels[column, y] != 0xFFFFFF { return (column, y) }
        }
        return nil
    }

    @Test(arguments: [FrequencyDisplay.linear, .logarithmic])
    func `each band's peak is at its frequency and weight`(display: FrequencyDisplay) throws {
        let peaks = [40, 100, 200]
        let picture = try Self.picture(Self.triangles(peaks, reach: 12), display: display)
        let (canvas, layout) = try picture.draw(.png)
        let (pixels, body) = (try #require(canvas.raster()), try #require(layout.bank).body)
        for peak in peaks {
            let x = Int(layout.x(hertz: Double(Self.bins[peak])).rounded())
            let found = try #require(top(pixels, body, from: x - 10...x + 10))
            #expect(abs(found.x - x) <= 2, "\(peak)")
            #expect(abs(Double(found.y) - (layout.bank?.y(1) ?? 0)) <= 2)
        }
        // Between two triangles there is nothing but the background.
        let between = Int(layout.x(hertz: Double(Self.bins[70])))
        #expect(top(pixels, body, from: between...between) == nil)
    }

    @Test func `an axis in Hz is linear, and a band of it fills the panel`() throws {
        let layout = try Self.picture(Self.triangles([100], reach: 5)).draw(.png).layout
        let (low, middle, high) = (layout.x(hertz: 0), layout.x(hertz: 4000), layout.x(hertz: 8000))
        #expect(abs((low + high) / 2 - middle) < 0.01)
        let body = try #require(layout.bank).body
        #expect(abs(low - Double(body.x)) < 1 && abs(high - Double(body.right)) < 3)
        let part = try Self.picture(Self.triangles([100], reach: 5), band: 3000...3500).draw(.png)
        let found = try #require(part.layout.bank)
        #expect(abs(part.layout.x(hertz: 3000) - Double(found.body.x)) < 0.01)
        #expect(abs(part.layout.x(hertz: 3500) - Double(found.body.right)) < 0.01)
        // The band lies within, so that its peak is drawn at 3125 Hz.
        let pixels = try #require(part.canvas.raster())
        let x = Int(part.layout.x(hertz: 3125))
        #expect(abs(Double(try #require(top(pixels, found.body, from: x - 3...x + 3)).y) - found.y(1)) <= 4)
    }

    @Test func `the window reaches its maximum in its middle`() throws {
        let (canvas, layout) = try Self.picture(Self.triangles([100], reach: 5)).draw(.png)
        let pixels = try #require(canvas.raster())
        let x = Int(layout.x(milliseconds: 12.5))
        let column = (layout.window.body.y..<layout.window.body.bottom).first { pixels[x, $0] != 0xFFFFFF }
        #expect(abs(Double(column ?? 0) - layout.window.y(1)) <= 2)
        #expect(layout.windowEnd == 25)
    }

    @Test(arguments: [3, 40, 80, 128, 240])
    func `numbers do not touch, whatever the number of bands`(count: Int) throws {
        let curves = (0..<count).map { band in
            let hertz = 7900 * pow(Double(band + 1) / Double(count), 2.5)
            let bin = min(max(Int(hertz / 31.25), 1), 255)
            return SpectrumBand(center: hertz, firstBin: bin, weights: [1])
        }
        let (canvas, layout) = try Self.picture(curves, edges: [0, 8000]).draw(.png)
        for (panel, ticks) in [
            (layout.bank, layout.bank?.upperTicks), (layout.bank, layout.bank?.ticks),
            (layout.window, layout.window.ticks),
        ] {
            let (panel, ticks) = (try #require(panel), try #require(ticks))
            #expect(ticks.count >= 2)
            let ends = ticks.map { tick in
                let half = canvas.width(of: tick.label, style: layout.sizes.number) / 2
                return (left: panel.x(tick.position) - half, right: panel.x(tick.position) + half)
            }
            for (one, next) in zip(ends, ends.dropFirst()) { #expect(next.left > one.right + 2) }
        }
    }

    @Test func `single bins are lines of height 1`() throws {
        let curves = [10, 128, 250].map { SpectrumBand(center: Double(Self.bins[$0]), firstBin: $0, weights: [1]) }
        let (canvas, layout) = try Self.picture(curves, isPlain: true).draw(.png)
        let (pixels, bank) = (try #require(canvas.raster()), try #require(layout.bank))
        for curve in curves {
            let x = Int(layout.x(hertz: curve.center))
            #expect(pixels[x, Int(bank.y(1)) + 1] != 0xFFFFFF && pixels[x, bank.body.bottom - 1] != 0xFFFFFF)
            #expect(pixels[x, Int(bank.y(1)) - 3] == 0xFFFFFF && pixels[x + 3, bank.body.bottom - 1] == 0xFFFFFF)
        }
    }

    @Test func `without a transform there is the window alone, and small pictures are refused`() throws {
        let window = WindowPanel(title: "window", values: [1], sampleRate: 16_000, hop: 1)
        let picture = FilterBankPicture(
            title: "raw", subtitle: "", bank: nil, window: window, style: try PictureStyle(width: 600, height: 300))
        #expect(try picture.draw(.png).layout.bank == nil)
        #expect(try picture.file(as: .svg).bytes.count > 100)
        #expect(throws: PlotError.self) {
            try Self.picture(Self.triangles([100], reach: 5), style: PictureStyle(width: 400, height: 200)).draw(.png)
        }
        #expect(throws: PlotError.self) {
            try Self.picture(Self.triangles([100], reach: 5), band: 9000...9500).draw(.png)
        }
        #expect(throws: PlotError.self) { try Self.picture([]) }
    }

    @Test(arguments: PictureFormat.allCases)
    func `equal pictures are equal bytes`(format: PictureFormat) throws {
        let picture = try Self.picture(Self.triangles([40, 80, 120], reach: 40), edges: [20, 7600])
        #expect(try picture.file(as: format) == picture.file(as: format))
    }
}
