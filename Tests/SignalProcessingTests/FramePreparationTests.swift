import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

@Suite("Frame preparation")
struct FramePreparationTests {
    /// Mean, energy, pre-emphasis in Kaldi's order, in double precision.
    private func expected(
        _ frame: [Float], removeDC: Bool, preEmphasis: Double, scale: Double
    ) -> (samples: [Double], energy: Double) {
        var x = frame.map(Double.init)
        if removeDC {
            let mean = x.reduce(0, +) / Double(x.count)
            x = x.map { $0 - mean }
        }
        let energy = x.reduce(0) { $0 + $1 * $1 } * scale * scale
        let before = [x[0]] + x.dropLast()
        return (zip(x, before).map { $0 - preEmphasis * $1 }, energy)
    }

    @Test(
        "mean, energy and pre-emphasis follow Kaldi's order", arguments: [1, 2, 7, 8, 9, 16, 25, 400])
    func order(length: Int) throws {
        var random = RandomSource(seed: UInt64(341 + length))
        for removeDC in [false, true] {
            for preEmphasis in [0, 0.5, 0.97, 1] as [Double] {
                for (scale, factor) in [("unit", 1.0), ("int16", 32_768.0)] as [(SettingValue, Double)] {
                    let plan = try ConfigurationCase(
                        .logMel,
                        [
                            "audio.scale": scale, "frame.length": .number(Double(length)),
                            "frame.fft_length": 512,
                            "frame.remove_dc": .flag(removeDC), "frame.pre_emphasis": .number(preEmphasis),
                            "transform": ["kind": "mfcc", "c0": "energy"],
                        ]
                    ).plan()
                    let preparation = try FramePreparation(plan)
                    #expect(!preparation.isIdentity)
                    // A mean far from 0, which the energy must not see once it is taken away.
                    let frame = random.samples(length).map { $0 * 0.25 + 0.5 }
                    let (samples, energy) = frame.withUnsafeBufferPointer { frame -> ([Double], Float) in
                        guard let start = frame.baseAddress else { return ([], .nan) }
                        let prepared = preparation.apply(start)
                        return (
                            Array(UnsafeBufferPointer(start: prepared.samples, count: length)), prepared.energy
                        )
                    }
                    let reference = expected(
                        frame, removeDC: removeDC, preEmphasis: preEmphasis, scale: factor)
                    #expect(largestDifference(samples, reference.samples) <= 2e-15)
                    // Where the mean is all there is, nothing but rounding is left.
                    let rounding = 1e-7 * reference.energy + 1e-12 * factor * factor
                    #expect(abs(Double(energy) - reference.energy) <= rounding, "energy \(energy)")
                }
            }
        }
    }

    @Test("frames that nothing is done to go on as they are")
    func identity() throws {
        #expect(try FramePreparation(ConfigurationCase(.logMel).plan()).isIdentity)
        #expect(try FramePreparation(ConfigurationCase(.htkMFCC).plan()).isIdentity)
        #expect(try !FramePreparation(ConfigurationCase(.kaldiFBank).plan()).isIdentity)
    }

    @Test("the energy is that of the samples before pre-emphasis and window, scaled like a band")
    func energyColumn() throws {
        let plan = try ConfigurationCase(.kaldiMFCC, ["frame.remove_dc": false]).plan()
        var random = RandomSource(seed: 349)
        let signal = random.samples(400)
        let energy = signal.reduce(0) { $0 + Double($1) * Double($1) } * 32_768 * 32_768
        #expect(abs(Double(try plan.features(of: signal)[0, 0]) - log(energy)) <= 1e-5)
        // Silence stands at the floor, 2⁻²³.
        let silence = try plan.features(of: [Float](repeating: 0, count: 400))
        #expect(abs(Double(silence[0, 0]) - log(pow(2.0, -23))) <= 1e-5)
    }
}
