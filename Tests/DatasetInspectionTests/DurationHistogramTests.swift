import TestSupport
import Testing

@testable import DatasetInspection

struct DurationHistogramTests {
    /// What the definition counts: the last interval has its upper edge in it.
    private func counts(_ durations: [Double], _ edges: [Double]) -> [Int] {
        (0..<edges.count - 1).map { clipIndex in
            durations.filter {
                $0 >= edges[clipIndex]
                    && ($0 < edges[clipIndex + 1] || (clipIndex == edges.count - 2 && $0 == edges[clipIndex + 1]))
            }.count
        }
    }

    @Test func `every clip is in one interval, for any lengths`() throws {
        var random = RandomSource(seed: 5)
        let uniform = (0..<500).map { _ in Double.random(in: 0.5..<1.7, using: &random) }
        let wide = (0..<500).map { _ in
            Double.random(in: 0.01..<1, using: &random) * Double.random(in: 1..<4000, using: &random)
        }
        for durations in [
            uniform, wide, [1, 1.25, 1.6, 2, 20], [3], [2, 2, 2], [1, 10], [1, 9.99], [0.1, 1000], [1e-4, 86_400],
            [5, 5.000_001],
        ] {
            let found = try #require(DurationHistogram(durations))
            #expect(found.counts == counts(durations, found.edges), "\(durations.prefix(3))")
            #expect(found.counts.reduce(0, +) == durations.count)
            #expect(zip(found.edges, found.edges.dropFirst()).allSatisfy { $0 < $1 })
            #expect(found.counts.first != 0 && found.counts.last != 0 && found.counts.count <= 100)
            #expect((found.spacing == .logarithmic) == ((durations.max() ?? 0) >= 10 * (durations.min() ?? 0)))
        }
    }

    @Test func `edges are round`() throws {
        #expect(try #require(DurationHistogram([1, 3.9])).edges.prefix(3) == [1, 1.1, 1.2])
        let growing = try #require(DurationHistogram([0.9, 12]))
        #expect(growing.edges == [0.8, 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10, 12.5])
        #expect(try #require(DurationHistogram([2, 2, 2])).counts == [3])
    }

    @Test func `values that are not lengths are left out, and without lengths there is no histogram`() {
        #expect(DurationHistogram([]) == nil && DurationHistogram([.nan, -1, .infinity, 0, 1e300]) == nil)
        #expect(DurationHistogram([.nan, 1, 3, -2]) == DurationHistogram([3, 1]))
    }
}
