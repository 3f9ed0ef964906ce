import FeatureModel
import Foundation
import Presentation
import TestSupport
import Testing

@testable import Plotting

/// Matrices and pictures that several tests draw.
enum Sample {
    /// A picture of panels with what a test does not care about filled in.
    static func picture(
        panels: [SpectrogramPanel], span: ValueSpan = .usual, frequencies: FrequencyDisplay = .bins,
        band: ClosedRange<Double>? = nil, time: TimeDisplay = .automatic, begins: ClockTime? = nil, across: Int = 1,
        style: PictureStyle? = nil
    ) throws -> SpectrogramPicture {
        try SpectrogramPicture(
            panels: panels, valueLabel: "dB", span: span, frequencies: frequencies, band: band, time: time,
            startTime: begins, across: across, style: style ?? PictureStyle(width: 640, height: 300))
    }

    /// A picture with what a test does not care about filled in.
    static func picture(
        _ matrix: FeatureMatrix, axis: BinAxis = .coefficients, period: Double = 0.01, title: String = "clip-1",
        subtitle: String? = nil, colors: ColorTable = .viridis, range: ClosedRange<Float>? = nil, width: Int = 640,
        height: Int = 300
    ) throws -> SpectrogramPicture {
        try SpectrogramPicture(
            matrix: matrix, axis: axis, framePeriod: period, title: title, subtitle: subtitle, valueLabel: "dB",
            colors: colors, range: range, width: width, height: height)
    }

    /// Silence, except for the bins of `bright`, in every frame.
    static func tone(rows: Int, bins: Int, bright: Set<Int>) -> FeatureMatrix {
        let frame = (0..<bins).map { bright.contains($0) ? Float(0) : -100 }
        return FeatureMatrix(bins: bins, values: Array(repeatElement(frame, count: rows).joined()))
    }

    /// A rising chirp with two harmonics over noise, in decibels; `frequencies` of the bins in hertz.
    static func chirp(rows: Int, frequencies: [Float], top: Float) -> FeatureMatrix {
        var random = RandomSource(seed: 7)
        var values: [Float] = []
        let width = top / Float(frequencies.count)
        for row in 0..<rows {
            let fundamental = top * (0.04 + 0.3 * Float(row) / Float(rows))
            for frequency in frequencies {
                var power = 1e-7 * -Float(log(Double.random(in: 1e-9..<1, using: &random)))
                for harmonic in 1...3 {
                    let distance = (frequency - Float(harmonic) * fundamental) / (width * 1.5 + frequency * 0.02)
                    power += Float(exp(-Double(distance * distance))) / Float(harmonic * harmonic * harmonic)
                }
                values.append(10 * Float(log10(Double(power))))
            }
        }
        return FeatureMatrix(bins: frequencies.count, values: values)
    }

    /// Centres in hertz of `bins` mel bands from 0 to `top` hertz.
    static func mel(bins: Int, top: Double) -> [Float] {
        let highest = 2595 * log10(1 + top / 700)
        return (1...bins).map { Float(700 * (pow(10, highest * Double($0) / Double(bins + 1) / 2595) - 1)) }
    }

    /// Centres in hertz of the bins of a transform, from 0 to `top` hertz.
    static func linear(bins: Int, top: Double) -> [Float] {
        (0..<bins).map { Float(top * Double($0) / Double(bins - 1)) }
    }
}

extension Raster {
    /// The colours of a column of a part of the picture, from its top.
    func column(_ x: Int, of part: PixelRectangle) -> [UInt32] { (part.y..<part.bottom).map { self[x, $0] } }

    /// The colours of a row of a part of the picture, from its left.
    func row(_ y: Int, of part: PixelRectangle) -> [UInt32] { (part.x..<part.right).map { self[$0, y] } }

    /// All colours of a part of the picture.
    func colors(in part: PixelRectangle) -> Set<UInt32> {
        Set((part.y..<part.bottom).flatMap { row($0, of: part) })
    }
}

extension SpectrogramPicture {
    /// Describes a picture of one spectrogram.
    ///
    /// - Parameter range: The values at the two ends of the colours; nil: percentiles.
    init(
        matrix: FeatureMatrix, axis: BinAxis, framePeriod: Double, firstFrameTime: Double = 0, title: String,
        subtitle: String? = nil, valueLabel: String, colors: ColorTable = .viridis, range: ClosedRange<Float>? = nil,
        width: Int = 1000, height: Int = 420
    ) throws(PlotError) {
        let panel = try SpectrogramPanel(
            matrix: matrix, axis: axis, framePeriod: framePeriod, firstFrameTime: firstFrameTime, title: title,
            subtitle: subtitle)
        try self.init(
            panels: [panel], valueLabel: valueLabel, span: range.map(ValueSpan.fixed) ?? .usual,
            style: PictureStyle(colors: colors, width: width, height: height))
    }

    /// The picture as a PNG file's content.
    func pngBytes() throws(PlotError) -> [UInt8] { try file(as: .png).bytes }

    /// Writes the picture as a PNG file.
    func writePNG(to path: String) throws(PlotError) { try file(as: .png).write(to: path) }
}

extension PictureLayout {
    /// The pixels of the first spectrogram.
    var body: PixelRectangle { panels[0].body }
    /// The vertical axis of the first.
    var bins: BinScale { panels[0].bins }
    /// The ticks of the first horizontal axis.
    var timeTicks: [AxisTick] { panels[0].timeTicks }
}

extension TimeAxis {
    /// The axis of `frames` (1 or more) that are `framePeriod` seconds apart, the first one's centre at `firstFrameTime`.
    init(frames: Int, framePeriod: Double, firstFrameTime: Double) {
        let left = firstFrameTime - framePeriod / 2
        self.init(left...left + Double(frames) * framePeriod)
    }
}

extension BinScale {
    /// The axis of bins of equal height.
    init(_ axis: BinAxis, bins: Int, spacing: Double) throws(PlotError) {
        try self.init(axis, bins: bins, display: .bins, spacing: spacing)
    }
}

extension ValueScale {
    /// The default range: from the 1st to the 99.5th percentile of the values.
    init(suiting values: [Float]) { self.init(.usual, of: RankedValues(values)) }
}

extension SpectrogramPicture {
    func drawn() throws -> (pixels: Raster, layout: PictureLayout) {
        let (canvas, layout, _) = try draw(.png)
        return (try #require(canvas.raster()), layout)
    }
}

extension ContactSheet {
    func drawn() throws -> (pixels: Raster, layout: SheetLayout) {
        let (canvas, layout) = try draw(.png)
        return (try #require(canvas.raster()), layout)
    }
}
