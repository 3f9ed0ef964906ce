package enum ValueSpan: Hashable, Sendable {
    /// Percentiles of the finite values, in percent, 0 … 100, the lower below the upper.
    case percentiles(Double, Double)
    case fixed(ClosedRange<Float>)
    /// From this distance below the maximum up to it, in the values' unit; more than 0. Values that are all the same have no peak, and are
    /// at the lower end.
    case belowPeak(Double)
    /// For decibels: from 10 dB below the median, which is the level of the noise, up to the 99.9th percentile, so that a click
    /// does not darken a song; 40 to 70 dB.
    case levels

    /// From the 1st to the 99.5th percentile, so that a few outliers do not compress the colours of the others.
    package static let usual = ValueSpan.percentiles(1, 99.5)

    func validate() throws(PlotError) {
        switch self {
        case .percentiles(let lower, let upper):
            guard 0 <= lower, lower < upper, upper <= 100 else {
                throw .invalidSetting(
                    name: "percentiles", found: "\(lower) and \(upper)",
                    expected: "two from 0 to 100, the first below the second")
            }
        case .levels: break
        case .fixed(let range):
            guard range.lowerBound.isFinite, range.upperBound.isFinite else {
                throw .invalidSetting(name: "range", found: "\(range)", expected: "finite values")
            }
        case .belowPeak(let distance):
            guard distance > 0, distance.isFinite else {
                throw .invalidSetting(
                    name: "range below the peak", found: "\(distance)", expected: "a distance of more than 0")
            }
        }
    }
}

extension ValueSpan {
    /// The lowest and the highest of the finite values, where a range was given that has none of them; nil: it has some, or there are
    /// no values.
    package func missed(by parts: [[Float]]) -> ClosedRange<Float>? {
        guard case .fixed(let range) = self else { return nil }
        var (low, high) = (Float.infinity, -Float.infinity)
        for part in parts {
            for value in part where value.isFinite {
                guard !range.contains(value) else { return nil }
                (low, high) = (min(low, value), max(high, value))
            }
        }
        return low <= high ? low...high : nil
    }
}

struct ValueScale: Hashable, Sendable {
    /// The values at the lower and the upper end of the colour table; finite, the upper above the lower.
    let range: ClosedRange<Double>

    /// The given range, which is finite; an empty one is widened.
    init(_ range: ClosedRange<Float>) { self.init(lower: Double(range.lowerBound), upper: Double(range.upperBound)) }

    /// The range that a span asks for.
    ///
    /// Infinite and NaN values are ignored; without others, percentiles give 0 … 1, and the peak is 0. If the percentiles are
    /// equal, as of a single line in silence, the range is that of all values; if these are equal, too, it is widened around them.
    init(_ span: ValueSpan, of ranks: RankedValues) {
        switch span {
        case .fixed(let range): self.init(range)
        case .belowPeak(let distance):
            let peak = Double(ranks.value(at: 1) ?? 0)
            // Silence is dark.
            let isSilent = ranks.value(at: 0).map { Double($0) == peak } ?? false
            self.init(lower: isSilent ? peak : peak - distance, upper: isSilent ? peak + distance : peak)
        case .levels:
            guard let peak = ranks.value(at: 1), let high = ranks.value(at: 0.999), let middle = ranks.value(at: 0.5)
            else {
                self.init(lower: -70, upper: 0)
                return
            }
            // Silence is dark.
            guard middle < peak else {
                self.init(lower: Double(peak), upper: Double(peak) + 40)
                return
            }
            let upper = Double(high)
            self.init(lower: min(max(Double(middle) - 10, upper - 70), upper - 40), upper: upper)
        case .percentiles(let lower, let upper):
            guard let low = ranks.value(at: lower / 100), let high = ranks.value(at: upper / 100) else {
                self.init(lower: 0, upper: 1)
                return
            }
            if low < high {
                self.init(lower: Double(low), upper: Double(high))
            } else {
                self.init(lower: Double(ranks.value(at: 0) ?? low), upper: Double(ranks.value(at: 1) ?? high))
            }
        }
    }

    private init(lower: Double, upper: Double) {
        let margin = lower < upper ? 0 : max(0.5, lower.magnitude / 100)
        range = lower - margin...upper + margin
    }

    func isExceeded(by ranks: RankedValues) -> (below: Bool, above: Bool) {
        (
            below: ranks.value(at: 0).map { Double($0) < range.lowerBound } ?? false,
            above: ranks.value(at: 1).map { Double($0) > range.upperBound } ?? false
        )
    }

    /// The entry of a colour table, 0 … 255, for a finite value; values outside the range are clamped.
    func index(of value: Double) -> Int {
        ColorTable.index((value - range.lowerBound) / (range.upperBound - range.lowerBound))
    }
}

/// Finds percentiles exactly without sorting: counts the values by the upper half of their bits, then one group of
/// them by the lower half. Two passes over the values a percentile, in 65,536 counters.
struct RankedValues {
    private let parts: [[Float]]
    private let upperCounts: [Int]
    private let count: Int

    init(_ values: [Float]) { self.init([values]) }

    /// - Parameter parts: The values; those that are infinite or NaN are ignored.
    init(_ parts: [[Float]]) {
        var counts = Self.noCounts
        var count = 0
        for part in parts {
            for value in part where value.isFinite {
                counts[Int(Self.key(value) >> 16)] += 1
                count += 1
            }
        }
        self.parts = parts
        self.count = count
        upperCounts = counts
    }

    /// The value with a fraction, 0 … 1, of the others below it; nil: there are no finite values.
    ///
    /// It is one of the values: that of rank ⌊fraction · (count − 1)⌋.
    func value(at fraction: Double) -> Float? {
        guard count > 0 else { return nil }
        let rank = Int(fraction * Double(count - 1))
        let (upper, rest) = Self.group(ofRank: rank, in: upperCounts)
        var lowerCounts = Self.noCounts
        for part in parts {
            for value in part where value.isFinite {
                let key = Self.key(value)
                if Int(key >> 16) == upper { lowerCounts[Int(key & 0xFFFF)] += 1 }
            }
        }
        let (lower, _) = Self.group(ofRank: rest, in: lowerCounts)
        return Self.value(ofKey: UInt32(upper) << 16 | UInt32(lower))
    }

    private static let noCounts = [Int](repeating: 0, count: 1 << 16)

    /// The group in which a rank falls, and its rank within the group.
    private static func group(ofRank rank: Int, in counts: [Int]) -> (group: Int, rest: Int) {
        var rest = rank
        for (group, count) in counts.enumerated() {
            if rest < count { return (group, rest) }
            rest -= count
        }
        return (counts.count - 1, 0)
    }

    /// Bits in the order of the values: negative numbers with all bits inverted, others with the sign bit set.
    private static func key(_ value: Float) -> UInt32 {
        let bits = value.bitPattern
        return bits >> 31 == 1 ? ~bits : bits | 0x8000_0000
    }

    private static func value(ofKey key: UInt32) -> Float {
        Float(bitPattern: key >> 31 == 1 ? key & 0x7FFF_FFFF : ~key)
    }
}
