import Terminal

/// The axes of charts.
enum PaneAxes {
    /// Round values at the left.
    static func vertical(
        _ range: LevelRange, around picture: CellRegion, into grid: inout CellGrid, _ style: LiveStyle
    ) {
        let (low, high) = (Double(range.low), Double(range.high))
        guard high > low, picture.height > 0 else { return }
        let step = FrequencyLabels.roundStep((high - low) / Double(max(picture.height / 4, 1)))
        let first = (low / step).rounded(.up)
        for number in 0...picture.height {
            let value = (first + Double(number)) * step
            guard value <= high else { break }
            let place = min(Int((value - low) / (high - low) * Double(picture.height)), picture.height - 1)
            let text = Wording.number((value * 1000).rounded() / 1000)
            grid.put(
                text, column: picture.column - 1 - text.count, row: picture.bottom - 1 - place,
                foreground: style.faint)
        }
    }

    /// Frequencies below.
    static func horizontal(
        _ labels: FrequencyLabels, around picture: CellRegion, into grid: inout CellGrid, _ style: LiveStyle
    ) {
        for label in labels.labels(cells: picture.width, spacing: 7) {
            let column = picture.column + label.cell - label.text.count / 2
            guard column + label.text.count <= picture.end else { continue }
            grid.put(label.text, column: max(column, 0), row: picture.bottom, foreground: style.faint)
        }
    }
}
