import Presentation

/// The vertical axis of a picture: its name, its ticks, and the bins on each row of pixels.
struct BinScale: Sendable {
    /// What is printed beside the axis, and what else where it is too long; the longest first.
    let labels: [String]
    /// The ticks in rising order; their labels do not overlap.
    let ticks: [AxisTick]
    private let bins: Int
    /// Nil: bins have no frequency.
    private let frequencies: FrequencyScale?

    /// The axis of `bins` bins.
    ///
    /// - Parameters:
    ///   - display: How frequencies are spread; bins without a frequency have equal heights all the same.
    ///   - band: What is shown of the frequencies, in hertz.
    ///   - spacing: The least distance of neighbouring ticks, as a fraction of the axis' length.
    /// - Throws: `PlotError` where nothing is left to show.
    init(
        _ axis: BinAxis, bins: Int, display: FrequencyDisplay, band: ClosedRange<Double>? = nil, spacing: Double
    ) throws(PlotError) {
        let count = Int(1 / spacing)
        self.bins = bins
        switch axis {
        case .coefficients, .columns:
            labels = [axis == .columns ? "Column" : "Coefficient"]
            let range = -0.5...Double(bins) - 0.5
            ticks = RoundSteps(range, atMost: count, minimumStep: 1).ticks(over: range)
            frequencies = nil
        case .frequencies(let values):
            let scale = try FrequencyScale(values, display: display, band: band)
            frequencies = scale
            if case .musical(let tuning) = display {
                labels = ["Note"]
                ticks = NoteTicks(scale, tuning: tuning, spacing: spacing).ticks
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

    /// What is printed where there is room.
    var label: String { labels.first ?? "" }

    /// The axis of bins at equal heights; for frequencies that rise, which a picture's do.
    init(_ axis: BinAxis, bins: Int, spacing: Double) throws(PlotError) {
        try self.init(axis, bins: bins, display: .bins, spacing: spacing)
    }

    /// The bins on each of `height` rows of pixels, from the lowest up, one or more.
    func rows(_ height: Int) -> [Range<Int>] {
        if let frequencies { return frequencies.rows(height) }
        return (0..<height).map(PixelBlocks(count: bins, pixels: height).block)
    }

    /// The height of a frequency in hertz, 0 … 1, the nearest end for one outside; nil where bins have no frequency.
    func position(clamping hertz: Double) -> Double? {
        guard let frequencies else { return nil }
        let range = frequencies.range
        return frequencies.position(min(max(hertz, range.lowerBound), range.upperBound))
    }

    /// Between which frequencies in hertz the axis runs; nil where bins have none.
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
