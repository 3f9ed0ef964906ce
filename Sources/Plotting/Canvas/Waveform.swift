import FeatureModel

/// The pixels of a waveform.
enum Waveform {
    /// In every column from its minimum to its maximum sample, joined to the column before, so that a line has no gaps where samples
    /// are wider than pixels.
    ///
    /// - Parameters:
    ///   - count: The number of columns, of which the first is at `x`.
    ///   - row: The row of a value.
    ///   - extremes: The values at the two ends of a column, counted from 0; nil: there are none.
    static func columns(
        _ count: Int, from x: Int, row: (Double) -> Int, extremes: (Int) -> ClosedRange<Float>?
    ) -> [PixelRectangle] {
        var last: ClosedRange<Int>?
        return (0..<count).compactMap { column in
            guard let extremes = extremes(column) else { return nil }
            let own = row(Double(extremes.upperBound))...row(Double(extremes.lowerBound))
            let top = last.map { min(own.lowerBound, $0.upperBound + 1) } ?? own.lowerBound
            let bottom = last.map { max(own.upperBound, $0.lowerBound - 1) } ?? own.upperBound
            last = own
            return PixelRectangle(x: x + column, y: top, width: 1, height: bottom - top + 1)
        }
    }

    /// The row of a value in an area of `height` rows, from the top, whose edges are the ends of a range.
    static func row(_ value: Double, of height: Int, _ range: ClosedRange<Double>) -> Int {
        let depth = (range.upperBound - value) / (range.upperBound - range.lowerBound) * Double(height)
        return Int(min(max(depth, 0), Double(height - 1)))
    }
}

extension Canvas {
    /// Draws samples that are features: as the waveform that they are.
    ///
    /// - Parameters:
    ///   - filled: The columns of the samples.
    ///   - body: The area whose upper and lower edges are the ends of `range`.
    func drawWaveform(
        _ samples: [Float], in filled: PixelRectangle, of body: PixelRectangle, range: ClosedRange<Double>,
        _ theme: Theme
    ) {
        fill(body, with: theme.empty)
        guard !samples.isEmpty else { return }
        let blocks = PixelBlocks(count: samples.count, pixels: filled.width)
        let columns = Waveform.columns(filled.width, from: filled.x) {
            body.y + Waveform.row($0, of: body.height, range)
        } extremes: { column in
            let shown = samples[blocks.block(column)].filter(\.isFinite)
            return shown.min().flatMap { least in shown.max().map { least...$0 } }
        }
        fill(columns, with: theme.wave)
    }
}
