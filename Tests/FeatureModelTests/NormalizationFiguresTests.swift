import FeatureModel
import TestSupport
import Testing

@Suite("Undoing a normalisation")
struct NormalizationFiguresTests {
    private let statistics = BinStatistics(
        count: 7, mean: [-3.5, 1e6, 0.25], standardDeviation: [1.25, 1e-3, 0], minimum: [-9, 999_999, 0.25],
        maximum: [2, 1_000_001, 0.25])

    @Test("every method is undone, each bin by its own figures or all by the same")
    func undo() {
        for method in NormalizeConfiguration.Method.allCases {
            for axis in NormalizeConfiguration.Axis.allCases {
                let figures = NormalizationFigures(method, axis: axis, statistics: statistics)
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

    @Test("a bin without a spread is divided by 1, and comes back exactly")
    func constant() {
        for method in NormalizeConfiguration.Method.allCases {
            let figures = NormalizationFigures(method, axis: .bin, statistics: statistics)
            #expect(figures.spread[2] == 1)
            #expect(figures.undo(figures.base, bin: 2) == 0.25)
        }
    }

    @Test("standard deviations come out of statistics as they went in")
    func deviations() {
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
