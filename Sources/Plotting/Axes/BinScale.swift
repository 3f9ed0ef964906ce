/// The vertical axis of a picture: its name and its ticks.
struct BinScale: Sendable {
    /// What is printed beside the axis.
    let label: String
    /// The ticks in rising order; their labels do not overlap.
    let ticks: [AxisTick]

    /// The axis of `bins` bins.
    ///
    /// - Parameter spacing: the least distance of neighbouring ticks, as a fraction of the axis' length.
    init(_ axis: BinAxis, bins: Int, spacing: Double) {
        let count = Int(1 / spacing)
        switch axis {
        case .coefficients, .columns:
            label = axis == .columns ? "Column" : "Coefficient"
            let range = -0.5...Double(bins) - 0.5
            ticks = RoundSteps(range, atMost: count, least: 1).ticks(over: range)
        case .frequencies(let frequencies):
            let scale = FrequencyScale(frequencies)
            let isKilohertz = scale.range.upperBound >= 10_000
            label = isKilohertz ? "Frequency (kHz)" : "Frequency (Hz)"
            ticks = Self.frequencyTicks(scale, isKilohertz: isKilohertz, count: count, spacing: spacing)
        }
    }

    private static func frequencyTicks(
        _ scale: FrequencyScale, isKilohertz: Bool, count: Int, spacing: Double
    ) -> [AxisTick] {
        let shift = isKilohertz ? -3 : 0
        let range = scale.range
        guard scale.isEven else { return SpacedTicks(scale, shift: shift, spacing: spacing).ticks }
        let inUnits = range.lowerBound * RoundNumber.power(shift)...range.upperBound * RoundNumber.power(shift)
        // A lone bin has no width in hertz: its axis shows the nearest whole number, not fractions that mean nothing.
        let least = scale.isLone ? RoundNumber.power(shift) : 0
        return RoundSteps(inUnits, atMost: count, least: least).ticks(over: inUnits)
    }
}
