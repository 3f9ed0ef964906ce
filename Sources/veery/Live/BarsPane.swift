import Terminal

struct BarsPane: BarPane {
    var bars: LatestBars

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

protocol BarPane: LivePane {
    var bars: LatestBars { get set }
}

extension BarPane {
    mutating func add(_ rows: [Float]) { bars.add(rows) }

    mutating func clear() { bars.clear() }
}

/// The latest frame as bars, on a fixed or adapting range; the common part of all panes of bars.
struct LatestBars {
    let source: PaneSource
    private(set) var range: LevelRange
    /// The maximum of each bin over the frames since the last picture, or the last frame if there is no new one; empty before
    /// the first frame.
    private(set) var values: [Float] = []
    private var isShown = true
    private var chart = BarChart()

    /// - Parameter range: The values at the ends of the vertical axis; nil: they adapt to the sound.
    init(_ source: PaneSource, range: ClosedRange<Float>?) {
        self.source = source
        self.range = range.map(LevelRange.init) ?? LevelRange(source.meter)
    }

    mutating func add(_ rows: [Float]) {
        let (bins, meter) = (source.bins, source.meter)
        let rows = source.rising(rows)
        for start in stride(from: 0, to: rows.count, by: bins) {
            if isShown {
                values = rows[start..<start + bins].map { meter($0) }
                isShown = false
            } else {
                for bin in 0..<bins { values[bin] = max(values[bin], meter(rows[start + bin])) }
            }
        }
    }

    mutating func clear() {
        values = []
        isShown = true
        chart = BarChart()
    }

    mutating func follow(elapsed: Double) {
        if !values.isEmpty { range.follow(values, elapsed: elapsed) }
    }

    /// - Parameter color: The colour of a column's bar, counted from 0; nil: the colours of its height.
    mutating func draw(
        into grid: inout CellGrid, at picture: CellRegion, style: LiveStyle, elapsed: Double,
        color: (Int) -> TerminalColor? = { _ in nil }
    ) {
        guard !values.isEmpty else { return }
        let heights = BarChart.columns(picture.width, of: values).map { range.fraction($0) }
        chart.draw(heights, into: &grid, at: picture, style: style, elapsed: elapsed) { x, height in
            color(x) ?? style.palette.color(UInt8(70 + 185 * height))
        }
        isShown = true
    }
}

/// Bars, one a column, and marks at their recent peaks.
struct BarChart {
    private var peaks: [Float] = []

    /// How fast a mark falls, as a share of the height per second.
    private static let fall: Float = 0.35

    /// - Parameters:
    ///   - heights: The height of each column, 0 … 1; others are clamped.
    ///   - color: The colour of a column's cell at a height, 0 … 1.
    mutating func draw(
        _ heights: [Float], into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double,
        color: (Int, Float) -> TerminalColor
    ) {
        if peaks.count != heights.count { peaks = Array(repeating: 0, count: heights.count) }
        guard region.height > 0 else { return }
        for (x, height) in heights.enumerated() where x < region.width {
            let height = max(0, min(1, height))
            peaks[x] = max(peaks[x] - Self.fall * Float(elapsed), height)
            let eighths = Int((height * Float(8 * region.height)).rounded())
            for y in 0..<region.height {
                let filled = eighths - 8 * y
                guard filled > 0 else { break }
                let shade = color(x, (Float(y) + 0.5) / Float(region.height))
                grid.put(
                    Cell(BarGlyph.scalar(eighths: filled, depth: style.depth), foreground: shade),
                    column: region.column + x, row: region.bottom - 1 - y)
            }
            let mark = Int(peaks[x] * Float(region.height))
            guard mark > eighths / 8, mark < region.height else { continue }
            grid.put(
                Cell(style.hasSymbols ? "─" : "-", foreground: style.faint), column: region.column + x,
                row: region.bottom - 1 - mark)
        }
    }

    /// The maximum of each column's bins; with more columns than bins, a bin has several columns.
    static func columns(_ count: Int, of row: [Float]) -> [Float] {
        (0..<max(count, 0)).map { x in
            let first = x * row.count / count
            let last = max((x + 1) * row.count / count, first + 1)
            return row[first..<last].reduce(-.infinity, max)
        }
    }
}
