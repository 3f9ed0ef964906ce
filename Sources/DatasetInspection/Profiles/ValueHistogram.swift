/// Counts of values in a bounded number of intervals of equal width.
///
/// Intervals are [i · w, (i + 1) · w) with w a power of two, so that their edges are exact. For values spread
/// over more than `maximumIntervals`, w doubles and neighbours are merged. The first value sets the minimum width.
package struct ValueHistogram: Hashable, Sendable {
    package static let maximumIntervals = 4096

    package private(set) var counts: [Int] = []
    /// Number i of the first interval.
    private var first = 0
    /// w is 2 to the power of this.
    private var exponent = 0
    private var inverseWidth = 1.0

    package init() {}

    package var width: Double { 1 / inverseWidth }
    package var lowerEdge: Double { Double(first) * width }
    package var total: Int { counts.reduce(0, +) }

    @inline(__always)
    mutating func add(_ value: Float) {
        let scaled = (Double(value) * inverseWidth).rounded(.down)
        let offset = scaled - Double(first)
        if offset >= 0, offset < Double(counts.count) { counts[Int(offset)] += 1 } else { extend(to: value) }
    }

    /// Adds the interval of a value outside the others, and counts it.
    private mutating func extend(to value: Float) {
        if counts.isEmpty {
            // Twenty binary digits below the first value that is not 0: more than the counts can keep apart.
            setExponent(value == 0 ? -20 : max(Int(value.exponent) - 20, -120))
            first = Int((Double(value) * inverseWidth).rounded(.down))
            counts = [1]
            return
        }
        while true {
            let scaled = (Double(value) * inverseWidth).rounded(.down)
            if scaled.magnitude < 0x1p52 {
                let index = Int(scaled)
                let (low, high) = (min(first, index), max(first + counts.count - 1, index))
                if high - low < Self.maximumIntervals {
                    counts =
                        Array(repeating: 0, count: first - low) + counts
                        + Array(repeating: 0, count: high - first - counts.count + 1)
                    first = low
                    counts[index - low] += 1
                    return
                }
            }
            double()
        }
    }

    private mutating func setExponent(_ new: Int) {
        exponent = new
        inverseWidth = Double(sign: .plus, exponent: -new, significand: 1)
    }

    /// Doubles the width of the intervals: those of even number are merged with their upper neighbours.
    private mutating func double() {
        let start = first >> 1
        var wider = Array(repeating: 0, count: ((first + counts.count - 1) >> 1) - start + 1)
        for (offset, count) in counts.enumerated() { wider[((first + offset) >> 1) - start] += count }
        counts = wider
        first = start
        setExponent(exponent + 1)
    }

    /// The middle of the interval in which a share, 0 … 1, of the values is reached; nil: there are none.
    package func quantile(_ share: Double) -> Double? {
        let wanted = share * Double(total)
        var sum = 0
        for (index, count) in counts.enumerated() where count > 0 {
            sum += count
            if Double(sum) >= wanted { return lowerEdge + (Double(index) + 0.5) * width }
        }
        return nil
    }

    /// The histogram with at most `maximum` intervals, without those at each end that hold at most a share of `tail` of the values.
    ///
    /// - Returns: The histogram, and how many values lie below and above it.
    package func folded(to maximum: Int, tail: Double) -> (histogram: ValueHistogram, below: Int, above: Int) {
        guard !counts.isEmpty else { return (self, 0, 0) }
        let allowed = Int(Double(total) * tail)
        var (low, high, dropped) = (0, counts.count - 1, 0)
        while low < high, dropped + counts[low] <= allowed {
            dropped += counts[low]
            low += 1
        }
        dropped = 0
        while low < high, dropped + counts[high] <= allowed {
            dropped += counts[high]
            high -= 1
        }
        // Widened before it is cut, so that the intervals at the ends are complete.
        var result = self
        (low, high) = (low + first, high + first)
        while high - low >= max(maximum, 1) {
            result.double()
            (low, high) = (low >> 1, high >> 1)
        }
        let kept = low - result.first...high - result.first
        let below = result.counts[..<kept.lowerBound].reduce(0, +)
        let above = result.counts[(kept.upperBound + 1)...].reduce(0, +)
        result.counts = Array(result.counts[kept])
        result.first = low
        return (result, below, above)
    }
}
