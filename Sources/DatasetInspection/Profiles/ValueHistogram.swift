import CKernels

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
    private var isWidthSet = false

    package init() {}

    /// An empty histogram whose minimum width is set by this value instead of the first one that is added.
    package init(startingAt value: Float) { setMinimumWidth(value) }

    package var width: Double { 1 / inverseWidth }
    package var lowerEdge: Double { Double(first) * width }
    package var total: Int { counts.reduce(0, +) }

    /// Counts finite values.
    mutating func add(_ values: UnsafeBufferPointer<Float>) {
        var rest = values
        while let start = rest.baseAddress, !rest.isEmpty {
            let (low, high) = (first, first + counts.count)
            let counted =
                if let low = Int32(exactly: low), let high = Int32(exactly: high) {
                    counts.withUnsafeMutableBufferPointer { counts in
                        counts.baseAddress.map {
                            veery_kernels_best().pointee.histogram(start, rest.count, inverseWidth, low, high, $0)
                        } ?? 0
                    }
                } else { 0 }
            guard counted < rest.count else { return }
            add(rest[counted])
            rest = UnsafeBufferPointer(rebasing: rest[(counted + 1)...])
        }
    }

    /// Counts a value, for which intervals are added or widened if need be.
    mutating func add(_ value: Float) {
        if !isWidthSet { setMinimumWidth(value) }
        while true {
            let scaled = (Double(value) * inverseWidth).rounded(.down)
            if scaled.magnitude < 0x1p52 {
                let index = Int(scaled)
                if extend(over: index...index) {
                    counts[index - first] += 1
                    return
                }
            }
            double()
        }
    }

    /// Adds the counts of another histogram with the same minimum width. The result is that of all values in one.
    mutating func add(_ other: ValueHistogram) {
        guard !other.counts.isEmpty else { return }
        var other = other
        if !isWidthSet { (isWidthSet, exponent, inverseWidth) = (true, other.exponent, other.inverseWidth) }
        while exponent < other.exponent { double() }
        while other.exponent < exponent { other.double() }
        while !extend(over: other.first...other.first + other.counts.count - 1) {
            double()
            other.double()
        }
        for (offset, count) in other.counts.enumerated() { counts[other.first + offset - first] += count }
    }

    /// Adds empty intervals up to these; false: there would be too many.
    private mutating func extend(over range: ClosedRange<Int>) -> Bool {
        if counts.isEmpty { first = range.lowerBound }
        let (low, high) = (min(first, range.lowerBound), max(first + counts.count - 1, range.upperBound))
        guard high - low < Self.maximumIntervals else { return false }
        guard high - low >= counts.count else { return true }
        counts =
            Array(repeating: 0, count: first - low) + counts
            + Array(repeating: 0, count: high - first - counts.count + 1)
        first = low
        return true
    }

    private mutating func setMinimumWidth(_ value: Float) {
        // Twenty binary digits below the first value that is not 0: more than the counts can keep apart.
        setExponent(value == 0 ? -20 : max(Int(value.exponent) - 20, -120))
        isWidthSet = true
    }

    private mutating func setExponent(_ new: Int) {
        exponent = new
        inverseWidth = Double(sign: .plus, exponent: -new, significand: 1)
    }

    /// Doubles the width of the intervals: those of even number are merged with their upper neighbours.
    private mutating func double() {
        guard !counts.isEmpty else { return setExponent(exponent + 1) }
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
