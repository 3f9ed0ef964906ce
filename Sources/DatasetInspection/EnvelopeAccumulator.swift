import FeatureModel

/// Gathers the least and the greatest sample of every stretch of a signal, in bounded memory: where stretches grow too many,
/// two neighbours become one.
struct EnvelopeAccumulator {
    private let maximumStretches: Int
    private var length = 1
    private var minima: [Float] = []
    private var maxima: [Float] = []
    private var least = Float.infinity
    private var greatest = -Float.infinity
    private var pending = 0

    /// - Parameter maximumStretches: Even, and at least 2.
    init(maximumStretches: Int = 1 << 21) { self.maximumStretches = maximumStretches }

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            least = min(least, sample)
            greatest = max(greatest, sample)
            pending += 1
            if pending == length { complete() }
        }
    }

    /// The envelope of a signal of `rate` samples a second whose first sample is at `start` seconds.
    mutating func finish(start: Double, rate: Int) -> SampleEnvelope {
        if pending > 0 { complete() }
        return SampleEnvelope(start: start, step: Double(length) / Double(rate), minima: minima, maxima: maxima)
    }

    private mutating func complete() {
        minima.append(least)
        maxima.append(greatest)
        least = .infinity
        greatest = -.infinity
        pending = 0
        guard minima.count >= maximumStretches else { return }
        for index in 0..<minima.count / 2 {
            minima[index] = min(minima[2 * index], minima[2 * index + 1])
            maxima[index] = max(maxima[2 * index], maxima[2 * index + 1])
        }
        minima.removeLast(minima.count - minima.count / 2)
        maxima.removeLast(maxima.count - maxima.count / 2)
        length *= 2
    }
}
