import FeatureModel
import Presentation
import SignalProcessing
import Terminal

/// A part of the screen that shows one input.
protocol LivePane {
    mutating func add(_ rows: [Float])

    mutating func clear()

    /// - Parameter elapsed: Seconds since the last time.
    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double)
}

/// The properties of the rows that a pane shows.
struct PaneSource {
    let bins: Int
    /// Seconds from a row to the next.
    let framePeriod: Double
    let meter: ValueMeter
    let labels: FrequencyLabels
    /// In Hz; empty where bins have none.
    let frequencies: [Float]
    let configuration: FeatureConfiguration
    /// Whether the frequencies of rows are falling; panes show them in reverse.
    private let isFalling: Bool

    /// - Parameter bins: The number of values in a row.
    init(_ plan: FeaturePlan, bins: Int) {
        self.bins = bins
        framePeriod = plan.framePeriod
        configuration = plan.configuration
        // Rows without the steps that need the whole clip: bands instead of their cepstra.
        let isSpectrum = plan.configuration.transform.cepstrum == nil || plan.needsWholeClip
        meter = ValueMeter(plan.configuration, geometry: plan.geometry, isSpectrum: isSpectrum)
        let hasAxis = bins == plan.axis.values.count
        let axis = hasAxis ? plan.axis : .coefficient([])
        isFalling = axis.isFalling
        labels = FrequencyLabels(axis.rising, bins: bins)
        frequencies = labels.hasFrequencies ? axis.rising.values : []
    }

    /// The rows with their values in the order of rising frequencies.
    func rising(_ rows: [Float]) -> [Float] { isFalling ? FeatureMatrix.reversed(rows, bins: bins) : rows }
}

enum PaneAxes {
    /// Columns of the vertical axis, with its distance from the picture.
    static let width = 6

    static func picture(in region: CellRegion) -> CellRegion { region.inset(left: width, bottom: 1) }

    /// Round values at the left.
    static func vertical(
        _ range: LevelRange, around picture: CellRegion, into grid: inout CellGrid, _ style: LiveStyle
    ) {
        let (low, high) = (Double(range.low), Double(range.high))
        guard high > low, picture.height > 0 else { return }
        let step = RoundNumber(stepAtLeast: (high - low) / Double(max(picture.height / 4, 2)), tolerance: 1e-6).value
        let first = (low / step).rounded(.up)
        for number in 0...picture.height {
            let value = (first + Double(number)) * step
            guard value <= high else { break }
            let offset = min(Int((value - low) / (high - low) * Double(picture.height)), picture.height - 1)
            let text = short(value)
            guard text.count < width else { continue }
            grid.put(
                text, column: picture.column - 1 - text.count, row: picture.bottom - 1 - offset,
                foreground: style.faint)
        }
    }

    static func horizontal(
        _ labels: FrequencyLabels, around picture: CellRegion, into grid: inout CellGrid, _ style: LiveStyle
    ) {
        for label in labels.labels(cells: picture.width, spacing: 7) {
            let column = picture.column + label.cell - label.text.count / 2
            guard column >= 0, column + label.text.count <= picture.end else { continue }
            grid.put(label.text, column: column, row: picture.bottom, foreground: style.faint)
        }
    }

    /// A round number in few characters: 0.25, 50, 20k, 3M.
    static func short(_ value: Double) -> String {
        let units: [(Double, String)] = [(1e9, "G"), (1e6, "M"), (1e4, "k")]
        guard let (unit, letter) = units.first(where: { abs(value) >= $0.0 }) else {
            return Wording.number((value * 1000).rounded() / 1000)
        }
        return Wording.number(value / (letter == "k" ? 1000 : unit)) + letter
    }
}
