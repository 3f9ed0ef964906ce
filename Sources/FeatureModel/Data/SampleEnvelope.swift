/// The least and the greatest sample of every stretch of a signal, all stretches of equal length.
public struct SampleEnvelope: Hashable, Sendable {
    /// Seconds at the beginning of the first stretch.
    public let start: Double
    /// Seconds that a stretch lasts, above 0.
    public let step: Double
    /// The least sample of each stretch.
    public let minima: [Float]
    /// The greatest sample of each stretch.
    public let maxima: [Float]

    /// Keeps the values.
    ///
    /// - Precondition: `step` is positive, and there is a least and a greatest sample for each stretch.
    public init(start: Double, step: Double, minima: [Float], maxima: [Float]) {
        precondition(step > 0 && minima.count == maxima.count, "an envelope needs pairs and a step")
        self.start = start
        self.step = step
        self.minima = minima
        self.maxima = maxima
    }

    /// The least and the greatest sample of the stretches of which a part lies between two times in seconds, the first
    /// below the second; nil: none does.
    public func extremes(from: Double, to: Double) -> ClosedRange<Float>? {
        // Within a millionth of a stretch counts as its edge, so that rounding takes in no neighbour.
        let first = max((from - start) / step + 1e-6, 0).rounded(.down)
        let past = min((to - start) / step - 1e-6, Double(minima.count)).rounded(.up)
        guard first < past else { return nil }
        var least = minima[Int(first)]
        var greatest = maxima[Int(first)]
        for index in Int(first) + 1..<max(Int(past), Int(first) + 1) {
            least = min(least, minima[index])
            greatest = max(greatest, maxima[index])
        }
        return least...greatest
    }

    /// The greatest magnitude of a sample; 0 where there are none.
    public var peak: Float { max(maxima.max() ?? 0, -(minima.min() ?? 0), 0) }

    /// The same some seconds later.
    public func shifted(by seconds: Double) -> SampleEnvelope {
        SampleEnvelope(start: start + seconds, step: step, minima: minima, maxima: maxima)
    }
}
