import FeatureModel
import TestSupport
import Testing

struct NormalizationFiguresTests {
    private let statistics = BinStatistics(
        count: 7, mean: [-3.5, 1e6, 0.25], standardDeviation: [1.25, 1e-3, 0], minimum: [-9, 999_999, 0.25],
        maximum: [2, 1_000_001, 0.25])

    @Test func `every method is undone, each bin by its own statistics or all by the same`() {
        for method in NormalizeConfiguration.Method.allCases {
            for axis in NormalizeConfiguration.Axis.allCases {
                let figures = NormalizationFigures(
                    NormalizeConfiguration(method: method, axis: axis), statistics: statistics)
                for bin in 0..<3 {
                    #expect(figures.spread[bin] > 0)
                    for value in [statistics.minimum[bin], statistics.maximum[bin], Float(statistics.mean[bin])] {
                        let normalised =
                            (Double(value) - figures.offset[bin]) / Double(figures.spread[bin]) + Double(figures.base)
                        let found = figures.undo(Float(normalised), bin: bin)
                        let range = max(1, abs(value), figures.spread[bin])
                        #expect(abs(found - value) <= 1e-5 * range, "\(method) \(axis) \(bin)")
                    }
                }
            }
        }
    }

    @Test func `a bin without a spread is divided by 1, and comes back exactly`() {
        for method in NormalizeConfiguration.Method.allCases {
            let figures = NormalizationFigures(NormalizeConfiguration(method: method), statistics: statistics)
            #expect(figures.spread[2] == 1)
            #expect(figures.undo(figures.base, bin: 2) == 0.25)
        }
    }

    @Test func `the divisor of a z-score follows ddof and epsilon, inside or outside the root`() throws {
        for axis in NormalizeConfiguration.Axis.allCases {
            for (ddof, epsilon, placement) in [
                (1, 0, .std), (0, 1e-5, .std), (1, 1e-5, .std), (0, 1e-7, .variance), (1, 1e-7, .variance),
            ] as [(Int, Double, NormalizeConfiguration.EpsilonPlacement)] {
                let normalize = try NormalizeConfiguration(
                    scope: .clip, axis: axis, ddof: ddof, epsilon: epsilon, epsilonPlacement: placement)
                let figures = NormalizationFigures(normalize, statistics: statistics)
                let all = statistics.overAllBins().standardDeviation
                for bin in 0..<3 {
                    let (deviation, count) =
                        axis == .all ? (all[bin], 21.0) : (statistics.standardDeviation[bin], 7.0)
                    let variance = deviation * deviation * count / (count - Double(ddof))
                    let expected =
                        placement == .std ? variance.squareRoot() + epsilon : (variance + epsilon).squareRoot()
                    let found = Double(figures.spread[bin])
                    #expect(abs(found - (expected == 0 ? 1 : expected)) <= 1e-7 * found, "\(axis) \(normalize)")
                }
            }
        }
    }

    @Test func `a single frame has no spread, whatever ddof: it becomes 0`() throws {
        let lone = BinStatistics(
            count: 1, mean: [4, -2], squaredDistance: [0, 0], minimum: [4, -2], maximum: [4, -2])
        for epsilon in [0, 1e-5] {
            let normalize = try NormalizeConfiguration(scope: .clip, ddof: 1, epsilon: epsilon)
            let figures = NormalizationFigures(normalize, statistics: lone)
            #expect(figures.spread == (epsilon == 0 ? [1, 1] : [1e-5, 1e-5]))
            #expect(figures.undo(0, bin: 0) == 4)
        }
    }

    @Test func `a count that no product with the bins fits, as a damaged file may have, is a count like others`() throws
    {
        for count in [Int.max, Int.max / 2, Int.max / 3 + 1] {
            let statistics = BinStatistics(
                count: count, mean: [-3.5, 2, 0.25], standardDeviation: [1.25, 1e-3, 0], minimum: [-9, 1, 0.25],
                maximum: [2, 3, 0.25])
            for axis in NormalizeConfiguration.Axis.allCases {
                let normalize = try NormalizeConfiguration(scope: .dataset, axis: axis, ddof: 1, epsilon: 1e-5)
                let figures = NormalizationFigures(normalize, statistics: statistics)
                #expect(figures.spread.allSatisfy { $0.isFinite && $0 > 0 } && figures.offset.allSatisfy(\.isFinite))
            }
        }
    }

    @Test func `given constants need no statistics, and only their scope takes them`() throws {
        let figures = NormalizationFigures(
            try NormalizeConfiguration(mean: -4.25, std: 9.5), statistics: BinStatistics(bins: 2))
        #expect(figures.offset == [-4.25, -4.25] && figures.spread == [9.5, 9.5] && figures.base == 0)
        for (scope, method, ddof, mean, std) in [
            (.constant, .zscore, 0, nil, 1), (.constant, .zscore, 0, 1, nil), (.constant, .minmax, 0, 1, 1),
            (.constant, .zscore, 1, 1, 1), (.clip, .zscore, 0, 1, 1), (.clip, .minmax, 1, nil, nil),
            (.clip, .zscore, 2, nil, nil), (.constant, .zscore, 0, .infinity, 1), (.constant, .zscore, 0, 0, 0),
        ] as [(NormalizeConfiguration.Scope, NormalizeConfiguration.Method, Int, Double?, Double?)] {
            #expect(throws: ConfigurationError.self, "\(scope) \(method) \(ddof) \(mean as Any) \(std as Any)") {
                try NormalizeConfiguration(
                    scope: scope, method: method, ddof: ddof, epsilon: 0, mean: mean.map { .all($0) },
                    std: std.map { .all($0) })
            }
        }
    }

    @Test func `standard deviations come out of statistics as they went in`() {
        var random = RandomSource(seed: 12)
        for count in [1, 2, 3, 7, 98, 1000, 999_983, 10_000_000] {
            let deviations = (0..<500).map { _ in Double.random(in: 0..<10, using: &random) } + [0, 1, 1e-12, 1e9]
            let zeros = [Float](repeating: 0, count: deviations.count)
            let statistics = BinStatistics(
                count: count, mean: deviations, standardDeviation: deviations, minimum: zeros, maximum: zeros)
            #expect(statistics.standardDeviation == deviations)
            var merged = statistics
            merged.merge(BinStatistics(bins: deviations.count))
            #expect(merged == statistics)
            merged.merge(statistics)
            #expect(zip(merged.standardDeviation, deviations).allSatisfy { abs($0 - $1) <= 1e-14 * $1 })
        }
    }
}
