/// Where a frequency stands among bins that are drawn at equal heights.
struct FrequencyScale: Sendable {
    private let frequencies: [Double]

    /// The scale of the bins' frequencies in hertz.
    ///
    /// - Precondition: there is at least one, and they rise.
    init(_ frequencies: [Float]) {
        precondition(!frequencies.isEmpty, "a frequency scale needs bins")
        self.frequencies = frequencies.map(Double.init)
    }

    /// The lowest bin's lower edge and the highest bin's upper edge in hertz, half a step out from their centres.
    var range: ClosedRange<Double> {
        let count = frequencies.count
        guard count > 1 else { return frequencies[0] - 0.5...frequencies[0] + 0.5 }
        let below = (frequencies[1] - frequencies[0]) / 2
        let above = (frequencies[count - 1] - frequencies[count - 2]) / 2
        return frequencies[0] - below...frequencies[count - 1] + above
    }

    /// Whether there is one bin only; its range is then 1 Hz wide.
    var isLone: Bool { frequencies.count == 1 }

    /// Whether the bins lie so evenly that ticks in equal steps suit them: none is further than 2 % of the range from
    /// the straight line.
    var isEven: Bool {
        let count = frequencies.count
        let step = (frequencies[count - 1] - frequencies[0]) / Double(max(count - 1, 1))
        let furthest = frequencies.enumerated().map { ($1 - frequencies[0] - Double($0) * step).magnitude }.max() ?? 0
        return furthest <= 0.02 * step * Double(count)
    }

    /// The height of a frequency, 0 at the lower edge of the lowest bin, 1 at the upper edge of the highest; nil outside.
    ///
    /// Straight between the centres of neighbouring bins; half a bin beyond the first and the last in their own steps.
    func position(_ hertz: Double) -> Double? {
        let count = frequencies.count
        guard range.contains(hertz) else { return nil }
        guard count > 1 else { return hertz - range.lowerBound }
        var low = 0
        var high = count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if frequencies[middle] <= hertz { low = middle } else { high = middle }
        }
        let fraction = (hertz - frequencies[low]) / (frequencies[high] - frequencies[low])
        return (Double(low) + fraction + 0.5) / Double(count)
    }
}
