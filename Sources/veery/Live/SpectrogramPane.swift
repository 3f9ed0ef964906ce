import Presentation
import Terminal

/// A scrolling spectrogram: the newest column at the right, low frequencies below.
///
/// A column is the mean of its frames; a cell shows the maximum of its bins, so that a thin tone is not lost.
struct SpectrogramPane: LivePane {
    private let source: PaneSource
    /// Visible frames; 0: one in each column.
    private let span: Double
    private var range: LevelRange
    private var history: RowHistory
    private var columns = Columns()
    private var row: [Float]

    private struct Columns {
        var width = 0
        var height = 0
        var slices = 0
        /// For each slot, the number of its column; −1: none.
        var numbers: [Int] = []
        var values: [Float] = []
        /// The newest column of the last picture; it and later ones may have changed.
        var newest = 0
    }

    /// - Parameters:
    ///   - span: Visible seconds; 0: a column for each frame.
    ///   - range: The values at the ends of the colours; nil: they adapt to the sound.
    init(_ source: PaneSource, span: Double, range: ClosedRange<Float>?) {
        self.source = source
        self.span = span / source.framePeriod
        self.range = range.map(LevelRange.init) ?? LevelRange(source.meter)
        history = RowHistory(bins: source.bins, span: self.span)
        row = Array(repeating: 0, count: source.bins)
    }

    mutating func add(_ rows: [Float]) {
        let rows = source.rising(rows)
        for start in stride(from: 0, to: rows.count, by: source.bins) {
            for bin in 0..<source.bins { row[bin] = source.meter(rows[start + bin]) }
            row.withUnsafeBufferPointer { history.add($0) }
        }
    }

    mutating func clear() {
        history.clear()
        columns = Columns()
    }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        let picture = PaneAxes.picture(in: region)
        guard picture.width > 0, picture.height > 0 else { return }
        let perCell = style.palette.valuesPerCell
        update(width: picture.width, height: picture.height * perCell)
        range.follow(columns.values, elapsed: elapsed)
        let newest = newestColumn
        for x in 0..<picture.width {
            let number = newest - (picture.width - 1 - x)
            guard number >= 0, columns.numbers[number % columns.width] == number else { continue }
            let base = number % columns.width * columns.height
            for y in 0..<picture.height {
                // Values are from low to high, cells from top to bottom.
                let index = base + (picture.height - 1 - y) * perCell
                let lower = columns.values[index]
                guard !lower.isNaN else { continue }
                let upper = columns.values[index + perCell - 1]
                grid.put(
                    style.palette.cell(upper: range.level(upper), lower: range.level(lower)),
                    column: picture.column + x, row: picture.row + y)
            }
        }
        drawAxes(into: &grid, around: picture, style)
    }

    private var newestColumn: Int { max(history.count - 1, 0) / max(columns.slices, 1) }

    private mutating func update(width: Int, height: Int) {
        let slices = span == 0 ? 1 : max(Int((span / Double(history.rowsPerSlice) / Double(width)).rounded()), 1)
        if width != columns.width || height != columns.height || slices != columns.slices {
            columns = Columns(
                width: width, height: height, slices: slices, numbers: Array(repeating: -1, count: width),
                values: Array(repeating: .nan, count: width * height))
        }
        guard history.count > 0 else { return }
        let newest = newestColumn
        for number in max(newest - width + 1, 0)...newest {
            let index = number % width
            guard columns.numbers[index] != number || number >= columns.newest else { continue }
            columns.numbers[index] = number
            let isThere = history.mean(of: number * slices..<(number + 1) * slices, into: &row)
            for y in 0..<height {
                let first = y * source.bins / height
                let last = max((y + 1) * source.bins / height, first + 1)
                columns.values[index * height + y] = isThere ? row[first..<last].reduce(-.infinity, max) : .nan
            }
        }
        columns.newest = newest
    }

    private func drawAxes(into grid: inout CellGrid, around picture: CellRegion, _ style: LiveStyle) {
        for label in source.labels.labels(cells: picture.height, spacing: max(2, picture.height / 12)) {
            let text = String(repeating: " ", count: max(PaneAxes.width - 1 - label.text.count, 0)) + label.text
            grid.put(
                text, column: picture.column - PaneAxes.width, row: picture.bottom - 1 - label.cell,
                foreground: style.faint)
        }
        let period = source.framePeriod * Double(history.rowsPerSlice * columns.slices)
        grid.put("now", column: picture.end - 3, row: picture.bottom, foreground: style.faint)
        let step = RoundNumber(stepAtLeast: 10 * period, tolerance: 1e-6).value
        for number in 1... {
            let seconds = Double(number) * step
            let column = picture.end - 1 - Int((seconds / period).rounded())
            let text = "-" + Wording.number((seconds * 1000).rounded() / 1000) + " s"
            guard column - text.count / 2 >= picture.column else { break }
            guard column + text.count / 2 < picture.end - 4 else { continue }
            grid.put(text, column: column - text.count / 2, row: picture.bottom, foreground: style.faint)
        }
    }
}

/// The last rows of a stream as means over slices of time, from which the columns of a scrolling picture are made.
struct RowHistory {
    let bins: Int
    let rowsPerSlice: Int
    let capacity: Int
    /// Slices started so far.
    private(set) var count = 0

    private var sums: [Float]
    private var rows: [Int32]

    /// 16 MB.
    private static let maximumValues = 1 << 22
    private static let maximumSlices = 2048

    /// - Parameter span: Rows that are shown at a time; 0: as many as there are columns.
    init(bins: Int, span: Double) {
        self.bins = bins
        capacity = max(min(Self.maximumSlices, Self.maximumValues / bins), 1)
        // Half of the slices: a picture may be wider than `span` by a part of a column.
        rowsPerSlice = max(Int((2 * span / Double(capacity)).rounded(.up)), 1)
        sums = Array(repeating: 0, count: bins * capacity)
        rows = Array(repeating: 0, count: capacity)
    }

    mutating func add(_ row: UnsafeBufferPointer<Float>) {
        if count == 0 || Int(rows[(count - 1) % capacity]) == rowsPerSlice {
            let slot = count % capacity
            for index in slot * bins..<(slot + 1) * bins { sums[index] = 0 }
            rows[slot] = 0
            count += 1
        }
        let slot = (count - 1) % capacity
        sums.withUnsafeMutableBufferPointer { sums in
            for bin in 0..<bins { sums[slot * bins + bin] += row[bin] }
        }
        rows[slot] += 1
    }

    /// The mean of all rows in some slices; false: none of them is kept.
    func mean(of slices: Range<Int>, into means: inout [Float]) -> Bool {
        for bin in 0..<bins { means[bin] = 0 }
        var total: Int32 = 0
        for slice in slices where slice >= max(count - capacity, 0) && slice < count {
            let slot = slice % capacity
            total += rows[slot]
            for bin in 0..<bins { means[bin] += sums[slot * bins + bin] }
        }
        guard total > 0 else { return false }
        for bin in 0..<bins { means[bin] /= Float(total) }
        return true
    }

    mutating func clear() { count = 0 }
}
