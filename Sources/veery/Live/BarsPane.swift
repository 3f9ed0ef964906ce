import Terminal

/// The latest frame as bars.
struct BarsPane: LivePane {
    private let source: PaneSource
    private var range: LevelRange
    private var latest: LatestRow
    private var chart = BarChart()

    private static let axisWidth = 6

    /// - Parameters:
    ///   - source: What the rows are.
    ///   - range: The values at the ends of the vertical axis; nil: they follow what is seen.
    init(_ source: PaneSource, range: ClosedRange<Float>?) {
        self.source = source
        // Magnitudes over their number of samples have a natural range: a sine of full scale is -6 dB.
        let scale = source.configuration.scale
        let isPerSample = scale.kind == .magnitude && scale.reference > 1
        self.range = (range ?? (isPerSample ? -90...0 : nil)).map(LevelRange.init) ?? LevelRange(source.meter)
        latest = LatestRow(bins: source.bins)
    }

    mutating func add(_ rows: [Float]) { latest.add(rows, meter: source.meter) }

    mutating func clear() {
        latest.clear()
        chart.clear()
    }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        let picture = region.inset(left: Self.axisWidth, bottom: 1)
        guard picture.width > 0, picture.height > 0 else { return }
        range.follow(latest.values, elapsed: elapsed)
        drawAxes(into: &grid, around: picture, style)
        guard !latest.values.isEmpty else { return }
        let heights = BarChart.columns(picture.width, of: latest.values).map { range.fraction($0) }
        chart.draw(heights, into: &grid, at: picture, style: style, elapsed: elapsed) { _, height in
            style.palette.color(UInt8(70 + 185 * height))
        }
        latest.show()
    }

    private func drawAxes(into grid: inout CellGrid, around picture: CellRegion, _ style: LiveStyle) {
        PaneAxes.vertical(range, around: picture, into: &grid, style)
        PaneAxes.horizontal(source.labels, around: picture, into: &grid, style)
    }
}
