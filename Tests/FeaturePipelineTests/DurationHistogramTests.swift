import TestSupport
import Testing

@testable import FeaturePipeline

struct DurationHistogramTests {
    @Test func `every length is counted once, in the bucket whose edges it lies between`() throws {
        var random = RandomSource(seed: 11)
        for widest in [1.5, 10, 19.9, 20, 1e6] {
            let durations =
                (0..<500).map { _ in Double.random(in: 0.5...0.5 * widest, using: &random) } + [0.5, 0.5 * widest]
            let histogram = try #require(DurationHistogram(durations))
            #expect(histogram.spacing == (widest >= 20 ? .logarithmic : .linear))
            #expect(histogram.counts.count == 32 && histogram.edges.count == 33)
            #expect(histogram.edges.first == 0.5 && histogram.edges.last == 0.5 * widest)
            #expect(zip(histogram.edges, histogram.edges.dropFirst()).allSatisfy(<))
            for bucket in 0..<32 {
                let (low, high) = (histogram.edges[bucket], histogram.edges[bucket + 1])
                let inside = durations.count { $0 >= low && ($0 < high || (bucket == 31 && $0 == high)) }
                #expect(histogram.counts[bucket] == inside)
            }
            let steps = zip(histogram.edges, histogram.edges.dropFirst()).map { widest >= 20 ? $1 / $0 : $1 - $0 }
            #expect(steps.allSatisfy { abs($0 / steps[0] - 1) < 1e-9 })
        }
    }

    @Test func `equal lengths have one bucket, and what is no length has none`() throws {
        let equal = try #require(DurationHistogram([2, 2, 2]))
        #expect(equal.counts == [3] && equal.edges == [2, 2] && equal.spacing == .linear)
        for durations in [
            [], [0, 1], [-1, 1], [1, .nan], [.nan, 1, 2], [1, .infinity], [-1e300, 1e300], [1e-300, 1e300],
        ] {
            #expect(DurationHistogram(durations) == nil, "\(durations)")
        }
    }
}
