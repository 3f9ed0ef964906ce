import Terminal

/// A smooth line through 25 of the lowest bins, from 0 to the greater of 100 and the greatest value.
struct CurvePane: LivePane {
    private let source: PaneSource
    private let fixed: ClosedRange<Float>?
    private let step: Int
    private var values: [Float] = []

    private static let points = 25
    private static let minimumHigh: Float = 100

    /// - Parameter range: The values at the ends of the vertical axis; nil: 0 and at least 100.
    init(_ source: PaneSource, range: ClosedRange<Float>?) {
        self.source = source
        fixed = range
        step = max(source.bins / Self.points, 1)
    }

    mutating func add(_ rows: [Float]) {
        guard rows.count >= source.bins else { return }
        let last = source.rising(Array(rows[(rows.count - source.bins)...]))
        values = stride(from: 0, to: source.bins, by: step).prefix(Self.points).map { last[last.startIndex + $0] }
    }

    mutating func clear() { values = [] }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        let picture = PaneAxes.picture(in: region)
        guard picture.width > 1, picture.height > 0 else { return }
        let range = LevelRange(fixed ?? 0...max(Self.minimumHigh, values.max() ?? 0))
        PaneAxes.vertical(range, around: picture, into: &grid, style)
        drawFrequencies(into: &grid, around: picture, style)
        // Without values, a line at zero.
        let curve = SmoothCurve(values.isEmpty ? [0, 0] : values)
        var dots = DotCanvas(columns: picture.width, rows: picture.height)
        var before: Int?
        for x in 0..<dots.width {
            let height = range.fraction(Float(curve.value(at: Double(x) / Double(dots.width - 1))))
            let y = Int(((1 - max(0, min(1, height))) * Float(dots.height - 1)).rounded())
            dots.connect(x, from: before.map { $0 < y ? $0 + 1 : $0 > y ? $0 - 1 : y } ?? y, to: y)
            before = y
        }
        dots.draw(into: &grid, at: picture, color: style.palette.color(200), depth: style.depth)
    }

    private func drawFrequencies(into grid: inout CellGrid, around picture: CellRegion, _ style: LiveStyle) {
        let last = min((source.bins - 1) / step, Self.points - 1) * step
        guard last > 0, last < source.frequencies.count else { return }
        let labels = FrequencyLabels(.frequency(Array(source.frequencies[...last])), bins: last + 1)
        PaneAxes.horizontal(labels, around: picture, into: &grid, style)
    }
}

/// A smooth line through points at equal distances, monotonic between neighbours
/// (Fritsch and Butland 1984, "A method for constructing local monotone piecewise cubic interpolants").
struct SmoothCurve {
    private let values: [Double]
    private let slopes: [Double]

    /// - Parameter values: The value of each point; at least one.
    init(_ values: [Float]) {
        let values = values.map(Double.init)
        self.values = values
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        slopes = values.indices.map { index in
            guard index > 0, index < values.count - 1 else {
                return steps.isEmpty ? 0 : index == 0 ? steps[0] : steps[index - 1]
            }
            let (before, after) = (steps[index - 1], steps[index])
            // Level at a summit and in a valley; else the harmonic mean, which is steep on neither side.
            return before * after <= 0 ? 0 : 2 * before * after / (before + after)
        }
    }

    /// The line's height, at 0 that of the first point, at 1 that of the last.
    func value(at fraction: Double) -> Double {
        guard values.count > 1 else { return values.first ?? 0 }
        let position = max(0, min(1, fraction)) * Double(values.count - 1)
        let index = min(Int(position), values.count - 2)
        let t = position - Double(index)
        let (t2, t3) = (t * t, t * t * t)
        return (2 * t3 - 3 * t2 + 1) * values[index] + (t3 - 2 * t2 + t) * slopes[index]
            + (3 * t2 - 2 * t3) * values[index + 1] + (t3 - t2) * slopes[index + 1]
    }
}
