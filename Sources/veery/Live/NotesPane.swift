import FeatureModel
import Foundation
import Terminal

/// A musical axis as bars, with the notes' names below and the strongest note named above.
struct NotesPane: LivePane {
    private let source: PaneSource
    private let tuning: Double
    private var range: LevelRange
    private var latest: LatestRow
    private var chart = BarChart()

    /// - Parameters:
    ///   - source: What the rows are.
    ///   - tuning: The frequency of A4 in Hz.
    ///   - range: The values at the ends of the vertical axis; nil: they follow what is heard.
    init(_ source: PaneSource, tuning: Double, range: ClosedRange<Float>?) {
        self.source = source
        self.tuning = tuning
        self.range = range.map(LevelRange.init) ?? LevelRange(source.meter)
        latest = LatestRow(bins: source.bins)
    }

    mutating func add(_ rows: [Float]) { latest.add(rows, meter: source.meter) }

    mutating func clear() {
        latest.clear()
        chart.clear()
    }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        let picture = region.inset(left: 1, top: 1, right: 1, bottom: 2)
        guard picture.width > 0, picture.height > 0 else { return }
        drawNotes(into: &grid, below: picture, style)
        guard !latest.values.isEmpty else { return }
        range.follow(latest.values, elapsed: elapsed)
        let strongest = strongest
        let heights = BarChart.columns(picture.width, of: latest.values).map { range.fraction($0) }
        let marked = strongest.map { $0 * picture.width / latest.values.count }
        chart.draw(heights, into: &grid, at: picture, style: style, elapsed: elapsed) { x, height in
            x == marked ? style.accent : style.palette.color(UInt8(70 + 185 * height))
        }
        if let strongest { name(strongest, in: &grid, above: picture, style) }
        latest.show()
    }

    /// The point with the greatest value; nil where all is silent.
    private var strongest: Int? {
        guard let point = latest.values.indices.max(by: { latest.values[$0] < latest.values[$1] }),
            range.fraction(latest.values[point]) > 0.3
        else { return nil }
        return point
    }

    private func name(_ point: Int, in grid: inout CellGrid, above picture: CellRegion, _ style: LiveStyle) {
        let hertz = Double(source.frequencies[point])
        let note = NoteName(hertz: hertz, tuning: tuning)
        let cents = note.cents == 0 ? "" : String(format: "%+d cents", note.cents)
        grid.put(note.text, column: picture.column, row: picture.row - 1, foreground: style.accent)
        grid.put(
            String(format: "%.1f Hz  ", hertz) + cents, column: picture.column + 5, row: picture.row - 1,
            foreground: style.bright)
    }

    /// Letters where there is room for each, octaves below.
    private func drawNotes(into grid: inout CellGrid, below picture: CellRegion, _ style: LiveStyle) {
        guard let lowest = source.frequencies.first, let highest = source.frequencies.last else { return }
        let notes =
            NoteName(hertz: Double(lowest), tuning: tuning)
            .number...NoteName(hertz: Double(highest), tuning: tuning)
            .number
        let room = Double(picture.width) / Double(notes.count)
        for number in notes {
            let hertz = tuning * pow(2, Double(number - 69) / 12)
            guard let place = source.labels.position(hertz) else { continue }
            let column = picture.column + min(Int(place * Double(picture.width)), picture.width - 1)
            let note = NoteName(number: number)
            if note.letter.count == 1, room >= 1.1 || note.letter == "C" {
                grid.put(
                    note.letter, column: column, row: picture.bottom,
                    foreground: note.letter == "C" ? style.bright : style.faint)
            }
            guard note.letter == "C" else { continue }
            grid.put("\(note.octave)", column: column, row: picture.bottom + 1, foreground: style.bright)
        }
    }
}
