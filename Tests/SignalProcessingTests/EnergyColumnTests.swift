import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct EnergyColumnTests {
    private func plan(_ scale: SettingValue, deltas: Int = 0) throws -> FeaturePlan {
        try ConfigurationCase(
            .logMel,
            [
                "audio.sample_rate": 8000, "frame.length": 64, "frame.hop": 64, "frame.fft_length": 64,
                "transform": [
                    "kind": "mfcc", "bands": 9, "bins": 5, "c0": "energy", "deltas": .number(Double(deltas)),
                ],
                "scale": scale,
            ]
        ).plan()
    }

    /// Twenty frames, from loud to a millionth of that, one of them silent.
    private func signal() -> [Float] {
        var random = RandomSource(seed: 531)
        return random.samples(20 * 64).enumerated().map { index, sample in
            index / 64 == 7 ? 0 : sample * Float(pow(10, -Double(index / 64) * 0.3))
        }
    }

    /// Σ x² of each frame.
    private func energies(_ signal: [Float]) -> [Double] {
        stride(from: 0, to: signal.count, by: 64).map { (start: Int) -> Double in
            signal[start..<start + 64].reduce(0) { (sum: Double, x: Float) in sum + Double(x) * Double(x) }
        }
    }

    @Test func `top_db raises bands, and never the energy of a quiet frame`() throws {
        let signal = signal()
        let expected = energies(signal).map { 10 * log10(max($0, 1e-9)) }
        let free = try plan(["kind": "db", "floor": 1e-9]).features(of: signal)
        let bound = try plan(["kind": "db", "floor": 1e-9, "top_db": 15]).features(of: signal)
        for features in [free, bound] {
            let column = stride(from: 0, to: features.values.count, by: features.bins).map { features.values[$0] }
            #expect(largestDifference(column, expected) <= 1e-4)
        }
        // Raised by top_db, a frame far below the peak is almost flat, so that its other coefficients are 0.
        let (quiet, before) = (bound.values[12 * 5 + 1..<13 * 5], free.values[12 * 5 + 1..<13 * 5])
        #expect(quiet.allSatisfy { abs($0) <= 1e-3 } && before.contains { abs($0) > 1 })
        #expect(expected[0] - expected[19] > 50)
        // Slopes follow the energies as they are.
        let slopes = try plan(["kind": "db", "floor": 1e-9, "top_db": 15], deltas: 1).features(of: signal)
        let deltas = stride(from: 5, to: slopes.values.count, by: 10).map { slopes.values[$0] }
        let expectedSlopes = expected.indices.map { row in
            (1...2).reduce(0.0) { sum, distance in
                let (later, earlier) = (min(row + distance, 19), max(row - distance, 0))
                return sum + Double(distance) * (expected[later] - expected[earlier])
            } / 10
        }
        #expect(largestDifference(deltas, expectedSlopes) <= 1e-4)
    }

    @Test
    func `the energy is a power: its root as a magnitude, itself as a power, with reference, offset, factor, limit`()
        throws
    {
        let signal = signal()
        let energies = energies(signal)
        let scales: [(SettingValue, (Double) -> Double)] = [
            (["kind": "magnitude"], { $0.squareRoot() }), (["kind": "power"], { $0 }),
            (["kind": "magnitude", "reference": 4, "offset": 1, "factor": 3], { ($0.squareRoot() / 4 + 1) * 3 }),
            (["kind": "power", "reference": 4, "limit": 2], { min($0 / 4, 2) }),
            (["kind": "ln", "floor": 1e-9], { log(max($0, 1e-9)) }),
            (["kind": "log10", "floor": 1e-9, "reference": 5], { log10(max($0, 1e-9) / 5) }),
        ]
        for (scale, formula) in scales {
            let features = try plan(scale).features(of: signal)
            let column = stride(from: 0, to: features.values.count, by: 5).map { features.values[$0] }
            #expect(relativeError(column, energies.map(formula)) <= 1e-6, "\(scale)")
        }
    }
}
