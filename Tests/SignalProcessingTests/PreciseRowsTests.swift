import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// Rows that remain in double precision until their clip is normalised.
struct PreciseRowsTests {
    @Test func `a value and its rest are 48 digits of it, and infinity has no rest`() {
        var random = RandomSource(seed: 501)
        var values = (0..<1000).map { _ in Double.random(in: -1...1, using: &random) }
        values += values.map { $0 * 1e30 } + values.map { $0 * 1e-20 } + [0, -0.0, 1e300, -.infinity, .nan]
        for value in values {
            var pair: [Float] = [7, 7]
            var joined = 0.0
            pair.withUnsafeMutableBufferPointer { pair in
                guard let start = pair.baseAddress else { return }
                RowRests.split(value, into: start)
                withUnsafeMutablePointer(to: &joined) { RowRests.join(start, count: 1, into: $0) }
            }
            #expect(pair[0].bitPattern == Float(value).bitPattern || value.isNaN)
            if Float(value).isFinite {
                #expect(abs(joined - value) <= abs(value) * 0x1p-48)
            } else {
                #expect(!joined.isFinite)
            }
        }
    }

    @Test func `rows in double precision are those in single precision, before either is rounded`() throws {
        var random = RandomSource(seed: 502)
        var tried = 0
        for (name, plan) in try StreamMatrix.plans() where plan.configuration.transform.kind != .raw {
            let own = plan.configuration
            // Constants of columns, and rows that are added, go with another scope.
            guard own.normalize.scope != .constant, !own.scale.isRelativeToMaximum, own.normalize.scope != .clip,
                let other = try? FeaturePlan(
                    own.with(normalize: NormalizeConfiguration(scope: .clip)), sampleRate: plan.sampleRate)
            else { continue }
            tried += 1
            #expect(other.hasRests && !plan.isPrecise)
            let signal = random.samples(StreamMatrix.length(plan, hops: 40)).map { $0 * 0.4 }
            let (single, double) = (try plan.features(of: signal), try other.features(of: signal))
            #expect(single.values.count == double.values.count, "\(name)")
            let extent = max((single.values.max() ?? 0) - (single.values.min() ?? 0), 1e-20)
            let distance = zip(single.values, double.values).map { abs($0 - $1) }.max() ?? 0
            #expect(distance <= 4e-6 * extent, "\(name): \(distance / extent)")
        }
        #expect(tried >= 60)
    }

    @Test func `statistics of rows with rests depend on no pieces and are those of float64`() throws {
        var random = RandomSource(seed: 503)
        let (bins, rows) = (5, 101)
        let values = (0..<bins * rows).map { _ in -13.8 + 1e-5 * Double.random(in: 0...1, using: &random) }
        var pairs = [Float](repeating: 0, count: 2 * values.count)
        values.withUnsafeBufferPointer { values in
            pairs.withUnsafeMutableBufferPointer { pairs in
                guard let source = values.baseAddress, let target = pairs.baseAddress else { return }
                RowRests.split(source, count: values.count, into: target)
            }
        }
        let accumulator = try StatisticsAccumulator(bins: bins, hasRests: true)
        var found: [BinStatistics] = []
        for piece in [1, 7, 16, rows] {
            accumulator.reset()
            inPieces(pairs, [piece * 2 * bins]) { accumulator.add($0) }
            found.append(try #require(accumulator.statistics()))
        }
        #expect(Set(found).count == 1)
        for bin in 0..<bins {
            let column = stride(from: bin, to: values.count, by: bins).map { values[$0] }
            let mean = column.reduce(0, +) / Double(rows)
            let deviation = (column.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(rows)).squareRoot()
            #expect(abs(found[0].mean[bin] - mean) <= 1e-13)
            #expect(abs(found[0].standardDeviation[bin] / deviation - 1) <= 1e-6)
            #expect(abs(found[0].exactMinimum[bin] - (column.min() ?? 0)) <= 1e-13)
            #expect(abs(found[0].exactMaximum[bin] - (column.max() ?? 0)) <= 1e-13)
        }
        // Single precision would leave steps of a tenth of this spread.
        let normalizer = Normalizer(NormalizeConfiguration(scope: .clip), statistics: found[0])
        let normalized = pairs.withUnsafeMutableBufferPointer { Array(normalizer.apply($0, hasRests: true)) }
        #expect(normalized.count == values.count)
        for (index, value) in normalized.enumerated() {
            let bin = index % bins
            let expected = (values[index] - found[0].mean[bin]) / found[0].standardDeviation[bin]
            #expect(abs(Double(value) - expected) <= 1e-6)
        }
    }
}
