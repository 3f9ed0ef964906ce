/// Minimum and maximum of every stretch of a signal; all stretches have the same length.
public struct SampleEnvelope: Hashable, Sendable {
    /// Start of the first stretch in seconds.
    public let start: Double
    /// Length of a stretch in seconds, above 0.
    public let step: Double
    /// The minimum of each stretch.
    public let minima: [Float]
    /// The maximum of each stretch.
    public let maxima: [Float]

    /// Keeps the values.
    ///
    /// - Precondition: `step` is positive, and every stretch has a minimum and a maximum.
    public init(start: Double, step: Double, minima: [Float], maxima: [Float]) {
        precondition(step > 0 && minima.count == maxima.count, "an envelope needs pairs and a step")
        self.start = start
        self.step = step
        self.minima = minima
        self.maxima = maxima
    }

    /// Minimum and maximum of the stretches that overlap a range of times in seconds, `from` below `to`; nil: none does.
    public func extremes(from: Double, to: Double) -> ClosedRange<Float>? {
        // A millionth of a stretch is tolerated, so that rounding includes no neighbour.
        let first = max((from - start) / step + 1e-6, 0).rounded(.down)
        let past = min((to - start) / step - 1e-6, Double(minima.count)).rounded(.up)
        guard first < past else { return nil }
        var low = minima[Int(first)]
        var high = maxima[Int(first)]
        for index in Int(first) + 1..<max(Int(past), Int(first) + 1) {
            low = min(low, minima[index])
            high = max(high, maxima[index])
        }
        return low...high
    }

    /// The maximum magnitude; 0 where there are no samples.
    public var peak: Float { max(maxima.max() ?? 0, -(minima.min() ?? 0), 0) }

    /// The same some seconds later.
    public func shifted(by seconds: Double) -> SampleEnvelope {
        SampleEnvelope(start: start + seconds, step: step, minima: minima, maxima: maxima)
    }
}
