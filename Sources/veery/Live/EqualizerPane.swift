import FeatureModel
import LiveAnalysis
import Presentation
import SignalProcessing
import Terminal

/// The spectrum of the input, with what an equaliser removes in grey, and the equaliser's envelope over it.
struct EqualizerPane: BarPane {
    var bars: LatestBars
    private let equalizer: LiveEqualizer
    private let inputRate: Double

    private static let minimumRowsWithWords = 4

    /// - Parameter inputRate: Rate of the samples that it filters, in Hz.
    init(_ source: PaneSource, equalizer: LiveEqualizer, inputRate: Int, range: ClosedRange<Float>?) {
        bars = LatestBars(source, range: range)
        self.equalizer = equalizer
        self.inputRate = Double(inputRate)
    }

    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double) {
        let hasWords = region.height >= Self.minimumRowsWithWords
        let picture = PaneAxes.picture(in: region.inset(top: hasWords ? 1 : 0))
        guard picture.width > 1, picture.height > 1 else { return }
        bars.follow(elapsed: elapsed)
        let band = equalizer.band
        if hasWords {
            CellText.put(
                words(band), into: &grid, column: picture.column, row: region.row, width: picture.width,
                foreground: style.accent)
        }
        PaneAxes.vertical(bars.range, around: picture, into: &grid, style)
        PaneAxes.horizontal(bars.source.labels, around: picture, into: &grid, style)
        let factors = factors(of: DCTEnvelope(band.mode, bins: band.bins).values, columns: picture.width)
        bars.draw(into: &grid, at: picture, style: style, elapsed: elapsed) { x in
            factors[x] > 0.5 ? nil : style.depth.color(0x46464E)
        }
        drawEnvelope(factors, into: &grid, at: picture, style)
    }

    private func factors(of envelope: [Float], columns: Int) -> [Float] {
        let source = bars.source
        return (0..<columns).map { x in
            let position = (Double(x) + 0.5) / Double(columns) * Double(source.bins) - 0.5
            let index = max(0, min(Int(position.rounded()), source.frequencies.count - 1))
            let hertz = source.frequencies.isEmpty ? 0 : Double(source.frequencies[index])
            let bin = Int((hertz * 2 * Double(envelope.count) / inputRate).rounded())
            return envelope[max(0, min(bin, envelope.count - 1))]
        }
    }

    /// Draws a line at the top where the envelope is 1, at the bottom where it is 0, and vertical where it changes.
    private func drawEnvelope(
        _ factors: [Float], into grid: inout CellGrid, at picture: CellRegion, _ style: LiveStyle
    ) {
        func row(_ factor: Float) -> Int {
            picture.row + Int(((1 - max(0, min(1, factor))) * Float(picture.height - 1)).rounded())
        }
        func put(_ symbol: Unicode.Scalar, _ plain: Unicode.Scalar, _ x: Int, _ row: Int) {
            grid.put(
                Cell(style.hasSymbols ? symbol : plain, foreground: style.bright), column: picture.column + x, row: row)
        }
        for x in factors.indices {
            let here = row(factors[x])
            let before = x > 0 ? row(factors[x - 1]) : here
            guard here != before else {
                put("━", "=", x, here)
                continue
            }
            for between in (min(here, before) + 1)..<max(here, before) { put("┃", "|", x, between) }
            put(here < before ? "┏" : "┓", "+", x, min(here, before))
            put(here < before ? "┛" : "┗", "+", x, max(here, before))
        }
    }

    /// The band in words, from the longest text to the shortest.
    private func words(_ band: LiveEqualizer.Band) -> [String] {
        let width = inputRate / Double(2 * DCTFilterConfiguration.pageLength)
        func hertz(_ bin: Int) -> String { Wording.count(Int((Double(bin) * width).rounded())) }
        let (low, high) = (band.bins.lowerBound, band.bins.upperBound)
        let mode = band.mode == .bandPass ? "band-pass" : "band-stop"
        let edges = "\(hertz(low)) to \(hertz(high)) Hz"
        return ["\(mode) \(edges) (bins \(low) to \(high))", "\(mode) \(edges)", edges, mode]
    }
}
