import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// `statistics.json`.
private struct StatisticsGolden: Decodable {
    struct Whole: Decodable {
        let mean: Double
        let std: Double
        let min: Float
        let max: Float
    }

    struct Case: Decodable {
        let name: String
        let rows: Int
        let bins: Int
        let values: [Float]
        let mean: [Double]
        let std: [Double]
        let min: [Float]
        let max: [Float]
        let all: Whole
    }

    let cases: [Case]

    static func cases() throws -> [Case] {
        let cases = try Fixtures.golden("statistics.json", as: StatisticsGolden.self).cases
        try #require(cases.count >= 4)
        return cases
    }
}

struct StatisticsAccumulatorTests {
    /// The statistics of rows that are added in pieces of the given numbers of rows, taken in turn.
    private func statistics(_ values: [Float], bins: Int, pieces: [Int] = [.max]) throws -> BinStatistics? {
        let accumulator = try StatisticsAccumulator(bins: bins)
        add(values, to: accumulator, bins: bins, pieces: pieces)
        return accumulator.statistics()
    }

    private func add(_ values: [Float], to accumulator: StatisticsAccumulator, bins: Int, pieces: [Int] = [.max]) {
        var (row, turn) = (0, 0)
        while row < values.count / bins {
            let end = row + min(pieces[turn % pieces.count], values.count / bins - row)
            values[row * bins..<end * bins].withUnsafeBufferPointer { accumulator.add($0) }
            (row, turn) = (end, turn + 1)
        }
    }

    private func isClose(_ found: [Double], _ expected: [Double], _ tolerance: Double) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) <= tolerance * abs($1) }
    }

    @Test(arguments: [1, 2, 7, .max])
    func `mean, deviation and extremes equal those of rational arithmetic`(piece: Int) throws {
        for known in try StatisticsGolden.cases() {
            let found = try #require(try statistics(known.values, bins: known.bins, pieces: [piece]))
            #expect(found.count == known.rows)
            #expect(isClose(found.mean, known.mean, 1e-12), "\(known.name)")
            #expect(isClose(found.standardDeviation, known.std, 1e-12), "\(known.name)")
            #expect(found.minimum == known.min)
            #expect(found.maximum == known.max)
            let whole = found.overAllBins()
            #expect(isClose(whole.mean, Array(repeating: known.all.mean, count: known.bins), 1e-12), "\(known.name)")
            let deviation = Array(repeating: known.all.std, count: known.bins)
            // The bins' means are rounded to 1e-10 where they are 1,000,000, and the spread of all sees that.
            #expect(isClose(whole.standardDeviation, deviation, 1e-10), "\(known.name)")
            #expect(whole.minimum.allSatisfy { $0 == known.all.min })
            #expect(whole.maximum.allSatisfy { $0 == known.all.max })
        }
    }

    @Test(arguments: [1, 5, 8, 13, 80])
    func `any cut into whole rows gives the same statistics`(bins: Int) throws {
        var random = RandomSource(seed: UInt64(bins))
        let values = random.samples(bins * 500).map { $0 * 20 - 300 }
        let whole = try #require(try statistics(values, bins: bins))
        let seeded = (0..<20).map { _ in Int.random(in: 1...60, using: &random) }
        for pieces in [[1], [16], [16, 3], [499], seeded] {
            let found = try #require(try statistics(values, bins: bins, pieces: pieces))
            #expect(found.count == whole.count)
            #expect(isClose(found.mean, whole.mean, 1e-14))
            #expect(isClose(found.standardDeviation, whole.standardDeviation, 1e-13))
            #expect(found.minimum == whole.minimum)
            #expect(found.maximum == whole.maximum)
        }
    }

    @Test(arguments: [3, 16, 21])
    func `merged halves equal the whole`(bins: Int) throws {
        var random = RandomSource(seed: UInt64(bins))
        let values = random.samples(bins * 300).map { $0 + 1000 }
        let whole = try #require(try statistics(values, bins: bins))
        for cut in [0, 1, 150, 299, 300] {
            var merged = try #require(try statistics(Array(values[..<(cut * bins)]), bins: bins))
            merged.merge(try #require(try statistics(Array(values[(cut * bins)...]), bins: bins)))
            #expect(merged.count == 300)
            #expect(isClose(merged.mean, whole.mean, 1e-14))
            #expect(isClose(merged.standardDeviation, whole.standardDeviation, 1e-11))
            #expect(merged.minimum == whole.minimum && merged.maximum == whole.maximum)
        }
    }

    @Test(arguments: [1, 7, 8, 19])
    func `one value that is infinite or not a number leaves no statistics`(bins: Int) throws {
        for bad in [Float.infinity, -.infinity, .nan] {
            for index in [0, bins - 1, bins * 2 + bins / 2, bins * 4 - 1] {
                var values = [Float](repeating: 0.5, count: bins * 4)
                values[index] = bad
                for piece in [1, 3, 4] {
                    #expect(try statistics(values, bins: bins, pieces: [piece]) == nil, "\(bad) at \(index)")
                }
            }
        }
    }

    @Test func `the largest finite values still have statistics`() throws {
        let largest = Float.greatestFiniteMagnitude
        let found = try #require(try statistics([largest, 0, -largest, 0], bins: 2))
        #expect(found.mean == [0, 0])
        #expect(isClose(found.standardDeviation, [Double(largest), 0], 1e-12))
    }

    @Test func `no rows have a count of 0 and a deviation of 0`() throws {
        let accumulator = try StatisticsAccumulator(bins: 3)
        #expect(accumulator.statistics() == BinStatistics(bins: 3))
        accumulator.add(UnsafeBufferPointer(start: nil, count: 0))
        #expect(accumulator.statistics()?.standardDeviation == [0, 0, 0])
    }

    @Test func `a reset forgets all rows, also non-finite ones`() throws {
        var random = RandomSource(seed: 71)
        let accumulator = try StatisticsAccumulator(bins: 11)
        add([Float](repeating: .nan, count: 22), to: accumulator, bins: 11)
        accumulator.reset()
        #expect(accumulator.statistics()?.count == 0)
        let values = random.samples(11 * 40)
        add(values, to: accumulator, bins: 11)
        #expect(try accumulator.statistics() == statistics(values, bins: 11))
    }
}
