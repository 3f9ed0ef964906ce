import FeatureModel
import Platform
import Presentation

package enum FrequencyDisplay: Sendable {
    /// As they are stored: all bins of equal height.
    case bins
    /// Hertz in equal steps.
    case linear
    /// Octaves in equal steps.
    case logarithmic
    /// Octaves in equal steps, marked by the names of notes; the frequency of A4 in hertz.
    case musical(tuning: Double)
    /// Equal steps of another quantity, such as mel.
    case warped(FrequencyWarp)
}

/// A quantity that rises with frequency, such as mel.
package struct FrequencyWarp: Sendable {
    /// The name of the quantity, printed after the unit, such as "mel scale".
    package let name: String
    package let value: @Sendable (Double) -> Double
    package let hertz: @Sendable (Double) -> Double

    package init(
        name: String, value: @escaping @Sendable (Double) -> Double, hertz: @escaping @Sendable (Double) -> Double
    ) {
        self.name = name
        self.value = value
        self.hertz = hertz
    }
}

/// The position of a frequency on the vertical axis, and the bins that a row of pixels shows.
struct FrequencyScale: Sendable {
    /// The frequencies in hertz at the two ends of the axis.
    let range: ClosedRange<Double>
    private let frequencies: [Double]
    /// Nil: all bins are of equal height.
    private let warp: FrequencyWarp?

    /// - Precondition: there is at least one, and they rise.
    init(_ frequencies: [Float]) {
        precondition(!frequencies.isEmpty, "a frequency scale needs bins")
        self.frequencies = frequencies.map(Double.init)
        range = Self.edges(self.frequencies)
        warp = nil
    }

    /// - Parameter band: What is shown of it, in hertz; nil: all that the bins cover and the axis can show.
    /// - Throws: `PlotError` where nothing remains.
    /// - Precondition: there is at least one bin, and they rise.
    init(_ frequencies: [Float], display: FrequencyDisplay, band: ClosedRange<Double>? = nil) throws(PlotError) {
        let bins = FrequencyScale(frequencies)
        guard let warp = display.warp else {
            self = bins
            return
        }
        var low = max(bins.range.lowerBound, 0)
        // An octave axis never reaches 0 Hz: it starts at the edge between the first two bins.
        if display.isLogarithmic, low <= 0 {
            let first = bins.frequencies.first { $0 > 0 } ?? 0
            low = bins.frequencies.count > 1 ? (bins.frequencies[0] + bins.frequencies[1]) / 2 : first / 2
        }
        if let band { low = max(low, band.lowerBound) }
        let high = min(bins.range.upperBound, band?.upperBound ?? .infinity)
        guard low < high, !display.isLogarithmic || low > 0 else {
            throw .invalidSetting(
                name: "frequency axis",
                found:
                    "\(Wording.thousandths(bins.range.lowerBound)) to \(Wording.thousandths(bins.range.upperBound)) Hz",
                expected: "a range of frequencies above 0 Hz")
        }
        self.frequencies = bins.frequencies
        self.warp = warp
        range = low...high
    }

    /// Whether there is one bin only; its range is then 1 Hz wide.
    var isLone: Bool { frequencies.count == 1 }

    /// Whether the axis runs so evenly in hertz that ticks in equal steps suit it: no bin is further than 2 % of the range
    /// from the straight line.
    var isEven: Bool {
        if warp != nil {
            let middle = (range.lowerBound + range.upperBound) / 2
            return ((position(middle) ?? 0) - 0.5).magnitude <= 0.02
        }
        let count = frequencies.count
        let step = (frequencies[count - 1] - frequencies[0]) / Double(max(count - 1, 1))
        let furthest = frequencies.enumerated().map { ($1 - frequencies[0] - Double($0) * step).magnitude }.max() ?? 0
        return furthest <= 0.02 * step * Double(count)
    }

    /// The height of a frequency, 0 at the axis' lower end, 1 at its upper one; nil outside.
    ///
    /// For bins of equal height, linear between the centres of neighbours, and half a bin beyond the first and the last.
    func position(_ hertz: Double) -> Double? {
        guard range.contains(hertz) else { return nil }
        if let warp {
            let low = warp.value(range.lowerBound)
            return (warp.value(hertz) - low) / (warp.value(range.upperBound) - low)
        }
        let count = frequencies.count
        guard count > 1 else { return hertz - range.lowerBound }
        let low = min(max(lastBin(notAbove: hertz), 0), count - 2)
        let fraction = (hertz - frequencies[low]) / (frequencies[low + 1] - frequencies[low])
        return (Double(low) + fraction + 0.5) / Double(count)
    }

    /// The bins on each of `height` rows of pixels, from the lowest up, one or more.
    ///
    /// For bins of equal height, see `PixelBlocks`. Otherwise the bins whose centres are on the row, or the one nearest to its
    /// middle.
    func rows(_ height: Int) -> [Range<Int>] {
        guard let warp else { return (0..<height).map(PixelBlocks(count: frequencies.count, pixels: height).block) }
        let low = warp.value(range.lowerBound)
        let step = (warp.value(range.upperBound) - low) / Double(height)
        return (0..<height).map { row in
            let start = warp.hertz(low + Double(row) * step)
            let end = warp.hertz(low + Double(row + 1) * step)
            let first = lastBin(below: start) + 1
            let past = row == height - 1 ? lastBin(notAbove: end) + 1 : lastBin(below: end) + 1
            if first < past { return first..<past }
            let nearest = nearestBin(to: warp.hertz(low + (Double(row) + 0.5) * step))
            return nearest..<nearest + 1
        }
    }

    /// The lowest bin's lower edge and the highest bin's upper edge in hertz, half a step out from their centres.
    private static func edges(_ frequencies: [Double]) -> ClosedRange<Double> {
        let count = frequencies.count
        guard count > 1 else { return frequencies[0] - 0.5...frequencies[0] + 0.5 }
        let below = (frequencies[1] - frequencies[0]) / 2
        let above = (frequencies[count - 1] - frequencies[count - 2]) / 2
        return frequencies[0] - below...frequencies[count - 1] + above
    }

    private func nearestBin(to hertz: Double) -> Int {
        let below = min(max(lastBin(notAbove: hertz), 0), frequencies.count - 1)
        guard below + 1 < frequencies.count else { return below }
        return hertz - frequencies[below] < frequencies[below + 1] - hertz ? below : below + 1
    }

    /// The last bin whose centre is not above; −1: none.
    private func lastBin(notAbove hertz: Double) -> Int { frequencies.partitioningIndex { !($0 <= hertz) } - 1 }

    /// The last bin whose centre is below; −1: none.
    private func lastBin(below hertz: Double) -> Int { frequencies.partitioningIndex { !($0 < hertz) } - 1 }
}

extension FrequencyDisplay {
    var isLogarithmic: Bool {
        switch self {
        case .logarithmic, .musical: true
        case .bins, .linear, .warped: false
        }
    }

    /// The quantity that grows evenly; nil: the number of the bin.
    fileprivate var warp: FrequencyWarp? {
        switch self {
        case .bins: nil
        case .linear: FrequencyWarp(name: "", value: { $0 }, hertz: { $0 })
        case .logarithmic, .musical: FrequencyWarp(name: "", value: { log2($0) }, hertz: { exp2($0) })
        case .warped(let warp): warp
        }
    }

    /// Throws if an axis of frequencies is asked for and bins have none.
    func validate(_ axis: BinAxis) throws(PlotError) {
        if case .bins = self { return }
        guard axis.hasFrequencies else {
            throw .invalidSetting(
                name: "frequency axis", found: "values without a frequency",
                expected: "bins with a frequency each; an axis of bins shows these values")
        }
    }
}
