import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

struct NormalizerTests {
    private static let methods = NormalizeConfiguration.Method.allCases

    private func statistics(_ values: [Float], bins: Int) throws -> BinStatistics {
        let accumulator = try StatisticsAccumulator(bins: bins)
        values.withUnsafeBufferPointer { accumulator.add($0) }
        return try #require(accumulator.statistics())
    }

    private func normalized(
        _ values: [Float], bins: Int, _ method: NormalizeConfiguration.Method, _ axis: NormalizeConfiguration.Axis
    ) throws -> [Float] {
        var result = values
        let normalizer = Normalizer(
            NormalizeConfiguration(method: method, axis: axis), statistics: try statistics(values, bins: bins))
        result.withUnsafeMutableBufferPointer { normalizer.apply($0) }
        return result
    }

    /// The documented formulas in double precision, from sums over the values themselves.
    private struct Formula {
        let offset: Double
        let spread: Double
        let method: NormalizeConfiguration.Method

        init(_ method: NormalizeConfiguration.Method, over values: [Float]) {
            let count = Double(values.count)
            let mean = values.reduce(0) { $0 + Double($1) } / count
            let (smallest, largest) = (Double(values.min() ?? 0), Double(values.max() ?? 0))
            self.method = method
            switch method {
            case .zscore:
                offset = mean
                spread = (values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
            case .mean: (offset, spread) = (mean, 1)
            case .minmax, .range: (offset, spread) = (smallest, largest - smallest)
            }
        }

        func value(_ value: Float) -> Double {
            let share = (Double(value) - offset) / (spread > 0 ? spread : 1)
            return method == .range ? 2 * share - 1 : share
        }
    }

    @Test(arguments: methods)
    func `values follow their formula within 3 units in the last place`(method: NormalizeConfiguration.Method) throws {
        var random = RandomSource(seed: 81)
        // With the last, neighbouring values of single precision are a sixteenth apart.
        for (offset, spread) in [(0, 1), (-8, 4), (0, 1e-6), (12_345, 0.5), (1_000_000, 1)] as [(Float, Float)] {
            for bins in [1, 3, 8, 13, 80] {
                let values = random.samples(bins * 60).map { offset + spread * $0 }
                for axis in NormalizeConfiguration.Axis.allCases {
                    let found = try normalized(values, bins: bins, method, axis)
                    let formulas = (0..<bins).map { bin in
                        Formula(method, over: axis == .all ? values : column(bin, of: values, bins: bins))
                    }
                    let wrong = values.indices.filter { index in
                        let reference = formulas[index % bins].value(values[index])
                        // `range` ends with − 1, so near 0 its unit is that of 1.
                        let size = method == .range ? max(abs(reference), 1) : abs(reference)
                        return abs(Double(found[index]) - reference) > 3 * Double(Float(size).ulp)
                    }
                    #expect(wrong.isEmpty, "offset \(offset), \(bins) bins, axis \(axis): \(wrong.count) values")
                }
            }
        }
    }

    private func column(_ bin: Int, of values: [Float], bins: Int) -> [Float] {
        stride(from: bin, to: values.count, by: bins).map { values[$0] }
    }

    @Test(arguments: methods, NormalizeConfiguration.Axis.allCases)
    func `a constant bin becomes 0, for the range −1`(
        method: NormalizeConfiguration.Method, axis: NormalizeConfiguration.Axis
    ) throws {
        for value in [Float(0), 3.25, -23.025_85, 1e6, 0.1] {
            for bins in [1, 9] {
                let found = try normalized([Float](repeating: value, count: bins * 7), bins: bins, method, axis)
                #expect(found.allSatisfy { $0 == (method == .range ? -1 : 0) }, "\(value), \(bins) bins: \(found[0])")
            }
        }
    }

    @Test func `a constant bin does not change the others`() throws {
        let values: [Float] = [1, 5, 3, 5, 5, 5]
        #expect(try normalized(values, bins: 2, .minmax, .bin) == [0, 0, 0.5, 0, 1, 0])
        #expect(try normalized(values, bins: 2, .range, .bin) == [-1, -1, 0, -1, 1, -1])
    }

    @Test(arguments: methods)
    func `a spread too small to divide by counts as none`(method: NormalizeConfiguration.Method) throws {
        let found = try normalized([0, .leastNonzeroMagnitude, 0, .leastNormalMagnitude / 2], bins: 1, method, .bin)
        #expect(found.allSatisfy { $0.isFinite })
    }

    @Test func `z-scores have mean 0 and deviation 1, and min-max runs from 0 to 1`() throws {
        var random = RandomSource(seed: 82)
        let values = random.samples(24 * 400).map { $0 * 7 - 12 }
        let scores = try statistics(try normalized(values, bins: 24, .zscore, .bin), bins: 24)
        #expect(scores.mean.allSatisfy { abs($0) < 1e-6 })
        #expect(scores.standardDeviation.allSatisfy { abs($0 - 1) < 1e-6 })
        let shares = try statistics(try normalized(values, bins: 24, .minmax, .all), bins: 24).overAllBins()
        #expect(shares.minimum.allSatisfy { $0 == 0 })
        #expect(shares.maximum.allSatisfy { abs($0 - 1) <= Float(1).ulp })
    }

    @Test func `an empty array is normalised to an empty one`() throws {
        #expect(try normalized([], bins: 4, .zscore, .bin).isEmpty)
    }
}
