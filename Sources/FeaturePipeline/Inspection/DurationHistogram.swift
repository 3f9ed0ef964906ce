import Foundation

/// How many clips have which length.
package struct DurationHistogram: Sendable, Encodable {
    /// How the edges of the buckets lie.
    package enum Spacing: String, Sendable, Encodable {
        /// The same distance apart.
        case linear
        /// The same ratio apart.
        case logarithmic
    }

    /// How the edges lie: by ratio where the longest clip is at least `widestLinear` times as long as the shortest.
    package let spacing: Spacing
    /// Seconds at the ends of the buckets, rising, one more than there are buckets, from the shortest clip to the longest.
    package let edges: [Double]
    /// Clips in each bucket: those from its lower edge to just below its upper one; in the last, up to its upper one.
    package let counts: [Int]

    /// The number of buckets; one where all clips have the same length.
    package static let buckets = 32
    /// The ratio of longest to shortest from which on the edges lie by ratio.
    package static let widestLinear = 20.0

    /// Counts lengths in seconds, in any order; nil where there are none, or not all are numbers above 0, as in a damaged
    /// file.
    package init?(_ durations: [Double]) {
        guard let least = durations.min(), let greatest = durations.max(), least > 0, (greatest / least).isFinite,
            durations.allSatisfy(\.isFinite)
        else { return nil }
        spacing = greatest / least >= Self.widestLinear ? .logarithmic : .linear
        let count = least < greatest ? Self.buckets : 1
        var edges = [least]
        for place in 1..<max(count, 1) {
            let share = Double(place) / Double(count)
            edges.append(
                spacing == .linear ? least + share * (greatest - least) : least * pow(greatest / least, share))
        }
        edges.append(greatest)
        var counts = [Int](repeating: 0, count: count)
        for duration in durations { counts[Self.bucket(of: duration, edges)] += 1 }
        self.edges = edges
        self.counts = counts
    }

    /// The last bucket whose lower edge is not above a length.
    private static func bucket(of duration: Double, _ edges: [Double]) -> Int {
        var (low, high) = (0, edges.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if edges[middle] <= duration { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
