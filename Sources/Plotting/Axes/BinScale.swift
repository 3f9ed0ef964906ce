import Presentation

package enum BinAxis: Hashable, Sendable {
    /// The frequency of each bin in hertz, 0 … 1e9, rising, not necessarily in equal steps.
    case frequencies([Float])
    /// Coefficients without a frequency, numbered from 0.
    case coefficients
    /// Samples of a frame, numbered from 0.
    case samples
    /// Columns in several parts or of another order, numbered from 0.
    case columns
}

extension BinAxis {
    package var hasFrequencies: Bool { if case .frequencies = self { true } else { false } }

    /// Whether the values are the samples themselves, one a row: they are drawn as a waveform.
    package func isWaveform(bins: Int) -> Bool { self == .samples && bins == 1 }

    func validate(bins: Int) throws(PlotError) {
        guard case .frequencies(let frequencies) = self else { return }
        guard frequencies.count == bins else {
            throw .invalidSetting(
                name: "axis", found: "\(frequencies.count) frequencies",
                expected: "a frequency for each of \(bins) bins")
        }
        for (bin, frequency) in frequencies.enumerated() {
            guard (0...1e9).contains(frequency), bin == 0 || frequency > frequencies[bin - 1] else {
                throw .invalidSetting(
                    name: "axis", found: "\(frequency) Hz at bin \(bin)",
                    expected: "frequencies from 0 to 1e9 Hz in rising order")
            }
        }
    }

    /// The bins of which a part lies in a band of frequencies in hertz; each reaches half-way to its neighbours.
    ///
    /// - Throws: `PlotError` where no bin does, or bins have no frequency.
    package func bins(in band: ClosedRange<Double>) throws(PlotError) -> Range<Int> {
        guard case .frequencies(let frequencies) = self, !frequencies.isEmpty else {
            throw .invalidSetting(
                name: "band", found: "bins without a frequency", expected: "bins with a frequency each")
        }
        let range = FrequencyScale(frequencies).range
        func edge(above bin: Int) -> Double {
            bin + 1 < frequencies.count
                ? (Double(frequencies[bin]) + Double(frequencies[bin + 1])) / 2 : range.upperBound
        }
        let first = frequencies.indices.first { edge(above: $0) > band.lowerBound }
        let last = frequencies.indices.last { bin in
            (bin == 0 ? range.lowerBound : edge(above: bin - 1)) < band.upperBound
        }
        guard let first, let last, first <= last else {
            throw .invalidSetting(
                name: "band",
                found: "\(Wording.thousandths(band.lowerBound)) to \(Wording.thousandths(band.upperBound)) Hz",
                expected:
                    "frequencies within \(Wording.thousandths(max(range.lowerBound, 0))) to \(Wording.thousandths(range.upperBound)) Hz"
            )
        }
        return first..<last + 1
    }

    /// The axis of some of the bins. Coefficients and columns are numbered anew.
    func cropped(to bins: Range<Int>) -> BinAxis {
        guard case .frequencies(let frequencies) = self else { return self }
        return .frequencies(Array(frequencies[bins]))
    }
}

/// The vertical axis of a picture: its name, its ticks, and the bins on each row of pixels.
struct BinScale: Sendable {
    /// The names of the axis, the longest first: the first that has room is printed.
    let labels: [String]
    /// The ticks in rising order; their labels do not overlap.
    let ticks: [AxisTick]
    private let bins: Int
    /// Nil: bins have no frequency.
    private let frequencies: FrequencyScale?

    /// - Parameters:
    ///   - display: How frequencies are spread; bins without a frequency have equal heights all the same.
    ///   - spacing: The minimum distance of neighbouring ticks, as a fraction of the axis' length.
    /// - Throws: `PlotError` where nothing remains to show.
    init(
        _ axis: BinAxis, bins: Int, display: FrequencyDisplay, band: ClosedRange<Double>? = nil, spacing: Double
    ) throws(PlotError) {
        let count = Int(1 / spacing)
        self.bins = bins
        switch axis {
        case .coefficients, .samples, .columns:
            labels = [axis == .columns ? "Column" : axis == .samples ? "Sample" : "Coefficient"]
            let range = -0.5...Double(bins) - 0.5
            ticks = RoundSteps(range, atMost: count, minimumStep: 1).ticks(over: range)
            frequencies = nil
        case .frequencies(let values):
            let scale = try FrequencyScale(values, display: display, band: band)
            frequencies = scale
            if case .musical(let tuning) = display {
                labels = ["Note"]
                ticks = NoteTicks.ticks(scale, tuning: tuning, spacing: spacing)
                return
            }
            let isKilohertz = scale.range.upperBound >= 10_000
            let unit = isKilohertz ? "kHz" : "Hz"
            var names = ["Frequency (\(unit))", unit]
            if case .warped(let warp) = display { names.insert("\(names[0]), \(warp.name)", at: 0) }
            labels = names
            ticks = Self.frequencyTicks(scale, isKilohertz: isKilohertz, count: count, spacing: spacing)
        }
    }

    /// The axis of a waveform: its values.
    init(values: ClosedRange<Double>, name: String, spacing: Double) {
        labels = [name]
        ticks = RoundSteps(values, atMost: Int(1 / spacing)).ticks(over: values)
        (bins, frequencies) = (1, nil)
    }

    /// The bins on each of `height` rows of pixels, from the lowest up, one or more.
    func rows(_ height: Int) -> [Range<Int>] {
        frequencies?.rows(height) ?? (0..<height).map(PixelBlocks(count: bins, pixels: height).block)
    }

    /// The height of a frequency in hertz, 0 … 1, the nearest end for one outside; nil: bins have no frequency.
    func position(clamping hertz: Double) -> Double? {
        guard let frequencies else { return nil }
        let range = frequencies.range
        return frequencies.position(min(max(hertz, range.lowerBound), range.upperBound))
    }

    /// The frequencies in hertz at the two ends of the axis; nil: bins have none.
    var range: ClosedRange<Double>? { frequencies?.range }

    private static func frequencyTicks(
        _ scale: FrequencyScale, isKilohertz: Bool, count: Int, spacing: Double
    ) -> [AxisTick] {
        let shift = isKilohertz ? -3 : 0
        let range = scale.range
        guard scale.isEven else { return SpacedTicks(scale, shift: shift, spacing: spacing).ticks }
        let inUnits = range.lowerBound * RoundNumber.power(shift)...range.upperBound * RoundNumber.power(shift)
        // A lone bin has no width in hertz: its axis shows the nearest whole number, not fractions that mean nothing.
        let minimumStep = scale.isLone ? RoundNumber.power(shift) : 0
        return RoundSteps(inUnits, atMost: count, minimumStep: minimumStep).ticks(over: inUnits)
    }
}
