import Terminal

/// The latest frame as bars.
struct BarsPane: BarPane {
    var bars: LatestBars

    /// - Parameters:
    ///   - source: What the rows are.
    ///   - range: The values at the ends of the vertical axis; nil: they follow what is seen.
    init(_ source: PaneSource, range: ClosedRange<Float>?) {
        // Magnitudes over their number of samples have a natural range: a sine of full scale is -6 dB.
        let scale = source.configuration.scale
        let isPerSample = scale.kind == .magnitude && scale.reference > 1
        bars = LatestBars(source, range: range ?? (isPerSample ? -90...0 : nil))
    }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        let picture = PaneAxes.picture(in: region)
        guard picture.width > 0, picture.height > 0 else { return }
        bars.follow(elapsed: elapsed)
        PaneAxes.vertical(bars.range, around: picture, into: &grid, style)
        PaneAxes.horizontal(bars.source.labels, around: picture, into: &grid, style)
        bars.draw(into: &grid, at: picture, style: style, elapsed: elapsed)
    }
}
