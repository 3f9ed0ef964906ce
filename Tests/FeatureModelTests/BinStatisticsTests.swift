import FeatureModel
import TestSupport
import Testing

struct BinStatisticsTests {
    /// Statistics of rows in two passes, straight from the definition.
    private func definition(_ rows: [[Float]]) -> BinStatistics {
        let bins = rows[0].count
        let count = Double(rows.count)
        let mean = (0..<bins).map { (bin: Int) -> Double in
            rows.reduce(0) { (sum: Double, row: [Float]) in sum + Double(row[bin]) } / count
        }
        let squares = (0..<bins).map { (bin: Int) -> Double in
            rows.reduce(0) { (sum: Double, row: [Float]) in
                let distance = Double(row[bin]) - mean[bin]
                return sum + distance * distance
            }
        }
        return BinStatistics(
            count: rows.count, mean: mean, squaredDistance: squares,
            minimum: (0..<bins).map { bin in rows.map { $0[bin] }.min() ?? 0 },
            maximum: (0..<bins).map { bin in rows.map { $0[bin] }.max() ?? 0 })
    }

    private func rows(_ count: Int, bins: Int, seed: UInt64, offset: Float = 0) -> [[Float]] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { row in random.samples(bins).map { $0 * Float(1 + row % 7) + offset } }
    }

    private func isClose(_ one: [Double], _ other: [Double], within tolerance: Double = 1e-12) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($0)) } && one.count == other.count
    }

    @Test(arguments: [Float(0), 1e4, -3])
    func `merged parts are the statistics of all rows`(offset: Float) {
        let all = rows(500, bins: 3, seed: 1, offset: offset)
        var merged = BinStatistics(bins: 3)
        var start = 0
        for length in [1, 2, 0, 97, 150, 250] {
            if length == 0 {
                merged.merge(BinStatistics(bins: 3))
            } else {
                merged.merge(definition(Array(all[start..<start + length])))
            }
            start += length
        }
        let expected = definition(all)
        #expect(merged.count == 500 && merged.minimum == expected.minimum && merged.maximum == expected.maximum)
        #expect(isClose(merged.mean, expected.mean))
        #expect(isClose(merged.standardDeviation, expected.standardDeviation, within: 1e-9))
    }

    @Test func `the order of merging changes no more than the last digits`() {
        let parts = (0..<20).map { definition(rows(5 + $0, bins: 2, seed: UInt64($0), offset: Float($0))) }
        func merged(_ parts: [BinStatistics]) -> BinStatistics {
            parts.reduce(into: BinStatistics(bins: 2)) { $0.merge($1) }
        }
        let (forwards, backwards) = (merged(parts), merged(parts.reversed()))
        #expect(forwards.count == backwards.count && forwards.minimum == backwards.minimum)
        #expect(isClose(forwards.mean, backwards.mean))
        #expect(isClose(forwards.squaredDistance, backwards.squaredDistance))
        #expect(merged(parts) == forwards)
    }

    @Test func `statistics of nothing are neutral on both sides`() {
        let some = definition(rows(9, bins: 2, seed: 3))
        var (left, right) = (BinStatistics(bins: 2), some)
        left.merge(some)
        right.merge(BinStatistics(bins: 2))
        #expect(left == some && right == some)
        let empty = BinStatistics(bins: 2)
        #expect(empty.count == 0 && empty.standardDeviation == [0, 0] && empty.minimum == [0, 0])
    }

    @Test func `over all bins they are those of all values, repeated for each bin`() {
        let all = rows(40, bins: 5, seed: 4, offset: 2)
        let expected = definition(all.flatMap { $0.map { [$0] } })
        let found = definition(all).overAllBins()
        #expect(found.count == 40 && found.bins == 5)
        #expect(isClose(found.mean, Array(repeating: expected.mean[0], count: 5)))
        #expect(isClose(found.standardDeviation, Array(repeating: expected.standardDeviation[0], count: 5)))
        #expect(found.minimum == Array(repeating: expected.minimum[0], count: 5))
        #expect(found.maximum == Array(repeating: expected.maximum[0], count: 5))
        #expect(BinStatistics(bins: 3).overAllBins() == BinStatistics(bins: 3))
    }

    @Test func `a constant has no spread at all`() {
        let part = definition(Array(repeating: [0.1, -7], count: 10))
        var merged = part
        for _ in 0..<20 { merged.merge(part) }
        #expect(merged.count == 210)
        #expect(merged.standardDeviation.allSatisfy { $0 < 1e-15 })
    }
}
