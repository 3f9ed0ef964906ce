/// Finds percentiles exactly without sorting: counts the values by the upper half of their bits, then one group of
/// them by the lower half. Two passes over the values a percentile, in 65,536 counters.
struct RankedValues {
    private let parts: [[Float]]
    private let upperCounts: [Int]
    private let count: Int

    init(_ values: [Float]) { self.init([values]) }

    /// Takes the finite ones of the values of all parts.
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
