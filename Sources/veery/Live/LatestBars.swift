import Terminal

/// The latest frame as bars, on a range that is fixed or follows it: what panes of bars have in common.
struct LatestBars {
    /// What the rows are.
    let source: PaneSource
    /// The values at the ends of the vertical axis.
    private(set) var range: LevelRange
    private var latest: LatestRow
    private var chart = BarChart()

    /// - Parameters:
    ///   - source: What the rows are.
    ///   - range: The values at the ends of the vertical axis; nil: they follow what is seen.
    init(_ source: PaneSource, range: ClosedRange<Float>?) {
        self.source = source
        self.range = range.map(LevelRange.init) ?? LevelRange(source.meter)
        latest = LatestRow(bins: source.bins)
    }

    /// As they are shown; empty before the first frame.
    var values: [Float] { latest.values }

    /// Takes whole rows.
    mutating func add(_ rows: [Float]) { latest.add(rows, meter: source.meter) }

    /// Forgets all rows.
    mutating func clear() {
        latest.clear()
        chart.clear()
    }

    /// Has the range follow what is seen.
    mutating func follow(elapsed: Double) {
        if !values.isEmpty { range.follow(values, elapsed: elapsed) }
    }

    /// Draws the bars.
    ///
    /// - Parameters:
    ///   - elapsed: Seconds since the last time.
    ///   - color: Of a column's bar, from 0 on; nil: the colours of its height.
    mutating func draw(
        into grid: inout CellGrid, at picture: CellRegion, style: LiveStyle, elapsed: Double,
        color: (Int) -> TerminalColor? = { _ in nil }
    ) {
        guard !values.isEmpty else { return }
        let heights = BarChart.columns(picture.width, of: values).map { range.fraction($0) }
        chart.draw(heights, into: &grid, at: picture, style: style, elapsed: elapsed) { x, height in
            color(x) ?? style.palette.color(UInt8(70 + 185 * height))
        }
        latest.show()
    }
}
