import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

@Suite("Signal conditioner")
struct SignalConditionerTests {
    private func plan(
        removeDC: Bool = false, preEmphasis: Double = 0, length: Int? = nil
    ) throws -> FeaturePlan {
        try ConfigurationCase(
            .logMel,
            [
                // A duration has to hold a frame.
                "frame.length": 1,
                "condition": ["remove_dc": .flag(removeDC), "pre_emphasis": .number(preEmphasis)],
                "audio.duration": length.map { .number(Double($0) / 16_000) } ?? .null,
            ]
        ).plan()
    }

    private func conditioned(_ signal: [Float], _ plan: FeaturePlan, pieces: [Int]) throws -> [Float] {
        let conditioner = try SignalConditioner(plan)
        var mean = SignalMean(plan)
        inPieces(signal, pieces) { mean.push($0) }
        var values: [Float] = []
        // What was before must not be remembered.
        for round in 0..<2 {
            values = []
            conditioner.start(mean: plan.needsMean ? mean.value : 0)
            inPieces(signal, pieces) { conditioner.push($0) { values.append(contentsOf: $0) } }
            if round == 0, signal.count > 1 { continue }
            conditioner.finish { values.append(contentsOf: $0) }
        }
        return values
    }

    @Test("crop, mean, pre-emphasis and filling with zeros, in that order, however the signal is cut")
    func order() throws {
        var random = RandomSource(seed: 351)
        for count in [0, 1, 2, 100, 4096, 9001] {
            let signal = random.samples(count).map { $0 * 0.5 + 0.25 }
            for length in [nil, 1, 50, 4097, 9001, 20_000] {
                for removeDC in [false, true] {
                    for preEmphasis in [0, 0.97, 1] as [Double] {
                        let plan = try plan(removeDC: removeDC, preEmphasis: preEmphasis, length: length)
                        #expect(plan.fixedLength == length)
                        let kept = signal.prefix(length ?? count).map(Double.init)
                        let mean = removeDC && !kept.isEmpty ? kept.reduce(0, +) / Double(kept.count) : 0
                        let centred = kept.map { $0 - mean }
                        // The first sample stays as it is; the filling is not conditioned.
                        let expected =
                            zip(centred, [0] + centred).map { $0 - preEmphasis * $1 }
                            + Array(repeating: 0, count: max((length ?? count) - kept.count, 0))
                        for pieces in [[Int.max], [4095], count < 200 ? [1] : [777]] {
                            let found = try conditioned(signal, plan, pieces: pieces)
                            #expect(
                                largestDifference(found, expected) <= 2e-7, "\(count) samples to \(length ?? -1)")
                        }
                    }
                }
            }
        }
    }

    @Test("the mean is that of what is kept of a signal, in double precision, however it is cut")
    func mean() throws {
        var random = RandomSource(seed: 352)
        let signal = random.samples(10_000).map { $0 * 1e-3 + 0.9 }
        for length in [nil, 1, 5000, 20_000] {
            let plan = try plan(removeDC: true, length: length)
            let kept = signal.prefix(length ?? signal.count)
            let expected = kept.reduce(0) { $0 + Double($1) } / Double(kept.count)
            for pieces in [[Int.max], [1], [4096, 3]] {
                var mean = SignalMean(plan)
                inPieces(signal, pieces) { mean.push($0) }
                #expect(abs(Double(mean.value) - expected) <= 1e-7)
            }
        }
        #expect(SignalMean(try plan(removeDC: true)).value == 0)
    }
}
