import Foundation

/// Counts of clips by their length, in intervals of round edges for a chart with an axis.
///
/// Where the longest clip is ten times the shortest or more, intervals grow, ten to a factor of ten (1, 1.25, 1.6, 2, 2.5,
/// 3.15, 4, 5, 6.3, 8 s and so on: the preferred numbers R10); otherwise they are equal, of 1, 2 or 5 times a power of ten.
package struct LengthHistogram: Hashable, Sendable {
    /// Edges of the intervals in seconds, one more than intervals; the last interval has its upper edge in it.
    package let edges: [Double]
    /// Clips in each interval.
    package let counts: [Int]
    /// Whether intervals grow.
    package let isLogarithmic: Bool

    private static let preferred = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8]

    /// Counts lengths in seconds; those that are no number above 0, which only a damaged file has, are left out.
    package init(_ durations: [Double]) {
        let sorted = durations.filter { $0 > 0 && $0 < 1e12 }.sorted()
        guard let least = sorted.first, let most = sorted.last else {
            (edges, counts, isLogarithmic) = ([], [], false)
            return
        }
        isLogarithmic = most >= 10 * least
        edges = isLogarithmic ? Self.growing(least, most) : Self.equal(least, most)
        var counts = Array(repeating: 0, count: edges.count - 1)
        var place = 0
        for duration in sorted {
            while place + 1 < counts.count, duration >= edges[place + 1] { place += 1 }
            counts[place] += 1
        }
        self.counts = counts
    }

    private static func growing(_ least: Double, _ most: Double) -> [Double] {
        var edges: [Double] = []
        let (first, last) = (Int(log10(least).rounded(.down)) - 1, Int(log10(most).rounded(.up)))
        for exponent in first...last {
            for number in preferred {
                let edge = exponent < 0 ? number / pow(10, Double(-exponent)) : number * pow(10, Double(exponent))
                if edge <= least { edges = [edge] } else if edges.last.map({ $0 < most }) == true { edges.append(edge) }
            }
        }
        return edges.count > 1 ? edges : [least, most]
    }

    private static func equal(_ least: Double, _ most: Double) -> [Double] {
        // Clips that all have one length get an interval around it.
        let wanted = max((most - least) / 30, least / 100, 1e-6)
        let exponent = Int(log10(wanted).rounded(.down))
        let power = pow(10, Double(exponent.magnitude))
        let digits = [1.0, 2, 5, 10].first { (exponent < 0 ? $0 / power : $0 * power) >= wanted * 0.999_999 } ?? 10
        func edge(_ multiple: Double) -> Double { exponent < 0 ? multiple * digits / power : multiple * digits * power }
        var first = (least / edge(1)).rounded(.down)
        if edge(first + 1) <= least { first += 1 }
        var edges = [edge(first)]
        while (edges.last ?? most) <= most { edges.append(edge(first + Double(edges.count))) }
        return edges
    }
}
