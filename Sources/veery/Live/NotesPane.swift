import FeatureModel
import Presentation
import Terminal

/// A musical axis as bars, with the notes' names below and the strongest note named above.
struct NotesPane: BarPane {
    var bars: LatestBars
    private let tuning: Double

    init(_ source: PaneSource, tuning: Double, range: ClosedRange<Float>?) {
        bars = LatestBars(source, range: range)
        self.tuning = tuning
    }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        // With few rows, the bars and the notes below them have priority.
        let hasName = region.height >= 4
        let picture = region.inset(left: 1, top: hasName ? 1 : 0, right: 1, bottom: region.height >= 6 ? 2 : 1)
        guard picture.width > 0, picture.height > 0 else { return }
        drawNotes(into: &grid, below: picture, hasOctaves: region.bottom > picture.bottom + 1, style)
        guard !bars.values.isEmpty else { return }
        bars.follow(elapsed: elapsed)
        let strongest = strongest
        let marked = strongest.map { $0 * picture.width / bars.values.count }
        bars.draw(into: &grid, at: picture, style: style, elapsed: elapsed) { $0 == marked ? style.accent : nil }
        if let strongest, hasName { name(strongest, in: &grid, above: picture, style) }
    }

    /// The point with the maximum; nil: silence.
    private var strongest: Int? {
        let values = bars.values
        guard let point = values.indices.max(by: { values[$0] < values[$1] }), bars.range.fraction(values[point]) > 0.3
        else { return nil }
        return point
    }

    private func name(_ point: Int, in grid: inout CellGrid, above picture: CellRegion, _ style: LiveStyle) {
        let hertz = Double(bars.source.frequencies[point])
        let note = NoteName(hertz: hertz, tuning: tuning)
        let cents = note.cents == 0 ? "" : "\(note.cents > 0 ? "+" : "")\(note.cents) cents"
        grid.put(note.text, column: picture.column, row: picture.row - 1, foreground: style.accent)
        let frequency = "\(hertz.fixed(1)) Hz"
        CellText.put(
            [frequency + "  " + cents, frequency], into: &grid, column: picture.column + 5, row: picture.row - 1,
            width: picture.width - 5, foreground: style.bright)
    }

    /// Draws letters if there is room, and octaves below.
    private func drawNotes(into grid: inout CellGrid, below picture: CellRegion, hasOctaves: Bool, _ style: LiveStyle) {
        guard let lowest = bars.source.frequencies.first, let highest = bars.source.frequencies.last else { return }
        let notes =
            NoteName(hertz: Double(lowest), tuning: tuning)
            .number...NoteName(hertz: Double(highest), tuning: tuning).number
        let room = Double(picture.width) / Double(notes.count)
        for number in notes {
            let note = NoteName(number: number)
            guard let position = bars.source.labels.position(note.frequency(tuning: tuning)) else { continue }
            let column = picture.column + min(Int(position * Double(picture.width)), picture.width - 1)
            if note.letter.count == 1, room >= 1.1 || note.letter == "C" {
                grid.put(
                    note.letter, column: column, row: picture.bottom,
                    foreground: note.letter == "C" ? style.bright : style.faint)
            }
            guard note.letter == "C", hasOctaves else { continue }
            grid.put("\(note.octave)", column: column, row: picture.bottom + 1, foreground: style.bright)
        }
    }
}
