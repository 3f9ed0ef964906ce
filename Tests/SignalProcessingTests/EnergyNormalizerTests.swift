import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct EnergyNormalizerTests {
    private static let parameters: [(gain: Double, bias: Double, power: Double, time: Double, epsilon: Double)] = [
        (0.98, 2, 0.5, 0.4, 1e-6), (0, 1, 1, 0.1, 1), (1, 10, 0.25, 0.06, 1e-3), (0.5, 1e-3, 2, 3600, 1e-30),
        (0.98, 2, 0.5, 1e-6, 1e-6),
    ]

    /// The b of `PCENConfiguration` for T frames, (√(1 + 4T²) − 1) / 2T²: the root of T²b² + b = 1, by bisection, since the
    /// formula itself loses its digits where T is small.
    private func smoothing(frames: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if frames * frames * middle * middle + middle < 1 { low = middle } else { high = middle }
        }
        return high
    }

    /// The formula of `PCENConfiguration`, taken literally, in double precision.
    private func expected(_ rows: [[Float]], _ pcen: PCENConfiguration, period: Double) -> [Double] {
        let smoothing = smoothing(frames: pcen.timeConstant / period)
        var past = [Double](repeating: 1, count: rows[0].count)
        return rows.flatMap { row in
            row.indices.map { bin in
                past[bin] = (1 - smoothing) * past[bin] + smoothing * Double(row[bin])
                let ratio = Double(row[bin]) / pow(pcen.epsilon + past[bin], pcen.gain)
                return pow(ratio + pcen.bias, pcen.power) - pow(pcen.bias, pcen.power)
            }
        }
    }

    private func normalized(
        _ rows: [[Float]], _ normalizer: EnergyNormalizer, batches: [Int]
    ) -> [Float] {
        var found: [Float] = []
        var (start, turn) = (0, 0)
        while start < rows.count {
            let end = min(start + batches[turn % batches.count], rows.count)
            var values: [Float] = rows[start..<end].flatMap { $0 } + [7]
            normalizer.apply(&values, rows: end - start)
            #expect(values.last == 7, "written past the rows")
            found += values.dropLast()
            (start, turn) = (end, turn + 1)
        }
        return found
    }

    @Test(arguments: 0..<parameters.count)
    func `values follow the formula, however rows come in batches`(index: Int) throws {
        var random = RandomSource(seed: 321)
        let parameters = Self.parameters[index]
        let pcen = try PCENConfiguration(
            gain: parameters.gain, bias: parameters.bias, power: parameters.power, timeConstant: parameters.time,
            epsilon: parameters.epsilon)
        let scale = try ScaleConfiguration(kind: .pcen, pcen: pcen)
        let rows = (0..<40).map { _ in random.samples(7).map { abs($0) * 50 } }
        let reference = expected(rows, pcen, period: 0.01)
        let normalizer = EnergyNormalizer(pcen, scale: scale, bins: 7, framePeriod: 0.01)
        let whole = normalized(rows, normalizer, batches: [40])
        #expect(relativeError(whole, reference) <= 1e-6)
        normalizer.reset()
        #expect(normalized(rows, normalizer, batches: [1, 16, 3]) == whole)
        // Without a reset the past continues.
        #expect(normalized(rows, normalizer, batches: [40]) != whole || pcen.gain == 0)
    }

    @Test func `values small compared with 1 keep their digits`() throws {
        let pcen = try PCENConfiguration()
        let normalizer = EnergyNormalizer(
            pcen, scale: try ScaleConfiguration(kind: .pcen), bins: 1, framePeriod: 0.01)
        var values: [Float] = [1e-20]
        normalizer.apply(&values, rows: 1)
        // To first order: power · bias^(power − 1) · E / (ε + M)^gain, M the smoothed past, which is below 1.
        let frames = 40.0
        let past = 1 - ((1 + 4 * frames * frames).squareRoot() - 1) / (2 * frames * frames)
        let expected = 0.5 * pow(2, -0.5) * 1e-20 / pow(1e-6 + past, 0.98)
        #expect(abs(Double(values[0]) - expected) <= 1e-6 * expected)
    }

    @Test(arguments: [0.98, 1, 60, 100])
    func `silence is 0, also where the power of the decayed past underflows`(gain: Double) throws {
        for (time, epsilon) in [(0.001, 1e-6), (1e-6, 1e-30), (0.4, 1e-30)] {
            let pcen = try PCENConfiguration(gain: gain, timeConstant: time, epsilon: epsilon)
            let scale = try ScaleConfiguration(kind: .pcen, pcen: pcen)
            let normalizer = EnergyNormalizer(pcen, scale: scale, bins: 3, framePeriod: 0.01)
            let rows = [[Float]](repeating: [0, 0, 0], count: 50)
            let values = normalized(rows, normalizer, batches: [16])
            #expect(values == [Float](repeating: 0, count: 150), "\(time), \(epsilon)")
        }
    }

    @Test func `over a time far below a frame nothing is smoothed: every row is measured by itself`() throws {
        var random = RandomSource(seed: 322)
        let rows = (0..<20).map { _ in random.samples(4).map { abs($0) * 9 + 0.01 } }
        // The frame's period in s makes T from 10⁻⁴ to 10⁻⁹ frames.
        for period in [0.01, 1, 1000] {
            let pcen = try PCENConfiguration(timeConstant: 1e-6)
            let normalizer = EnergyNormalizer(
                pcen, scale: try ScaleConfiguration(kind: .pcen), bins: 4, framePeriod: period)
            let expected = rows.joined().map { energy in
                (Double(energy) / pow(1e-6 + Double(energy), 0.98) + 2).squareRoot() - 2.0.squareRoot()
            }
            #expect(relativeError(normalized(rows, normalizer, batches: [7]), expected) <= 1e-6, "\(period) s")
        }
    }

    @Test func `offset, factor and limit are applied after the formula`() throws {
        let pcen = try PCENConfiguration()
        let plain = EnergyNormalizer(pcen, scale: try ScaleConfiguration(kind: .pcen), bins: 3, framePeriod: 0.01)
        let scale = try ScaleConfiguration(kind: .pcen, offset: -0.25, factor: 3, limit: 1)
        let changed = EnergyNormalizer(pcen, scale: scale, bins: 3, framePeriod: 0.01)
        let rows: [[Float]] = [[0, 0.1, 100], [1, 0.5, 0.001]]
        let values = normalized(rows, plain, batches: [2])
        let expected = values.map { min((Double($0) - 0.25) * 3, 1) }
        #expect(largestDifference(normalized(rows, changed, batches: [2]), expected) <= 1e-6)
        #expect(expected.contains(1) && expected.contains { $0 < 0 })
    }

    @Test func `an infinite energy or one that is not a number never becomes finite`() throws {
        let scale = try ScaleConfiguration(kind: .pcen, limit: 1)
        for (bad, gain) in [(Float.nan, 0.98), (.infinity, 0.98), (.nan, 0), (.infinity, 0)] {
            let pcen = try PCENConfiguration(gain: gain)
            let normalizer = EnergyNormalizer(pcen, scale: scale, bins: 2, framePeriod: 0.01)
            var values: [Float] = [bad, 1]
            normalizer.apply(&values, rows: 1)
            #expect(!values[0].isFinite && values[1].isFinite, "\(bad) became \(values[0]), gain \(gain)")
        }
    }
}
