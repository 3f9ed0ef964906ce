import Platform
import Presentation

/// How many clips have which length, in intervals of round edges.
///
/// Where the longest clip is ten times the shortest or more, intervals grow, ten to a factor of ten (1, 1.25, 1.6, 2, 2.5,
/// 3.15, 4, 5, 6.3, 8 s and so on: the preferred numbers R10); otherwise they are equal, of 1, 2 or 5 times a power of ten.
package struct DurationHistogram: Hashable, Sendable, Encodable {
    package enum Spacing: String, Sendable, Encodable {
        case linear
        case logarithmic
    }

    package let spacing: Spacing
    /// Seconds at the ends of the intervals, rising, one more than there are intervals.
    package let edges: [Double]
    /// Clips in each interval: those from its lower edge to just below its upper one; in the last, up to its upper one.
    package let counts: [Int]

    /// Lengths below this, in seconds, are not counted.
    private static let minimum = 1e-9
    private static let preferred = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8]

    /// Counts lengths in seconds, in any order, without those that only a damaged file has: NaN, infinite, or below a nanosecond.
    /// Nil if no other is left.
    package init?(_ durations: [Double]) {
        let sorted = durations.filter { $0 >= Self.minimum && $0 < 1e12 }.sorted()
        guard let shortest = sorted.first, let longest = sorted.last else { return nil }
        spacing = longest >= 10 * shortest ? .logarithmic : .linear
        edges = spacing == .logarithmic ? Self.growing(shortest, longest) : Self.equal(shortest, longest)
        var counts = Array(repeating: 0, count: edges.count - 1)
        var interval = 0
        for duration in sorted {
            while interval + 1 < counts.count, duration >= edges[interval + 1] { interval += 1 }
            counts[interval] += 1
        }
        self.counts = counts
    }

    private static func growing(_ shortest: Double, _ longest: Double) -> [Double] {
        var edges: [Double] = []
        let (first, last) = (Int(log10(shortest).rounded(.down)) - 1, Int(log10(longest).rounded(.up)))
        for exponent in first...last {
            for number in preferred {
                let edge = exponent < 0 ? number / pow(10, Double(-exponent)) : number * pow(10, Double(exponent))
                if edge <= shortest {
                    edges = [edge]
                } else if edges.last.map({ $0 < longest }) == true {
                    edges.append(edge)
                }
            }
        }
        return edges.count > 1 ? edges : [shortest, longest]
    }

    private static func equal(_ shortest: Double, _ longest: Double) -> [Double] {
        // If all clips have one length, there is one interval around it.
        let step = RoundNumber(stepAtLeast: max((longest - shortest) / 30, shortest / 100, 1e-6), tolerance: 1e-6)
        let (digits, power) = (Double(step.digits), RoundNumber.power(Int(step.exponent.magnitude)))
        func edge(_ multiple: Double) -> Double {
            step.exponent < 0 ? multiple * digits / power : multiple * digits * power
        }
        var first = (shortest / edge(1)).rounded(.down)
        if edge(first + 1) <= shortest { first += 1 }
        var edges = [edge(first)]
        while (edges.last ?? longest) <= longest { edges.append(edge(first + Double(edges.count))) }
        return edges
    }
}
