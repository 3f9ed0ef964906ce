import CKernels
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// The preparation as it was written in Swift: the loops have to give the same bits.
private struct FormerPreparation {
    let removeDC: Bool
    let preEmphasis: Double
    let measuresEnergy: Bool

    func apply(_ frame: [Float], rest: [Float]?) -> (samples: [Double], energy: Double) {
        let length = frame.count
        var samples = [Double](repeating: 0, count: (length + 7) / 8 * 8)
        for n in 0..<length { samples[n] = rest.map { Double(frame[n]) + Double($0[n]) } ?? Double(frame[n]) }
        if removeDC {
            let mean = sum(samples) { $0 } / Double(length)
            for n in 0..<length { samples[n] -= mean }
        }
        let energy = measuresEnergy ? sum(samples) { $0 * $0 } : 0
        if preEmphasis != 0 {
            for n in stride(from: length - 1, to: 0, by: -1) { samples[n] -= preEmphasis * samples[n - 1] }
            samples[0] -= preEmphasis * samples[0]
        }
        return (Array(samples[..<length]), energy)
    }

    private func sum(_ samples: [Double], of term: (SIMD4<Double>) -> SIMD4<Double>) -> Double {
        var (even, odd) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for n in stride(from: 0, to: samples.count, by: 8) {
            even += term(SIMD4(samples[n..<n + 4]))
            odd += term(SIMD4(samples[n + 4..<n + 8]))
        }
        return (even + odd).sum()
    }
}

struct FramePreparationTests {
    private static let lengths = Array(1...18) + [25, 31, 32, 33, 399, 400, 401, 1024]
    private let sets = (0..<4).compactMap { veery_kernels_set($0) }

    /// Everything that a preparation may have.
    private static let preparations: [FormerPreparation] = [false, true].flatMap { removeDC in
        [0, 0.5, 0.97, 1].flatMap { preEmphasis in
            [false, true].map {
                FormerPreparation(removeDC: removeDC, preEmphasis: preEmphasis, measuresEnergy: $0)
            }
        }
    }

    private func steps(_ former: FormerPreparation) -> veery_preparation {
        veery_preparation(
            removes_mean: former.removeDC ? 1 : 0, measures_energy: former.measuresEnergy ? 1 : 0,
            pre_emphasis: former.preEmphasis)
    }

    /// Frames with a mean far from 0, a quiet one, a silent one, and one with zeros of both signs; and what rounding took from
    /// them.
    private func frames(_ length: Int, seed: Int) -> (frames: [[Float]], rests: [[Float]]) {
        var random = RandomSource(seed: UInt64(seed + length))
        let frames = (0..<8).map { index -> [Float] in
            switch index {
            case 2: [Float](repeating: 0, count: length)
            case 3: (0..<length).map { $0 % 3 == 0 ? -0.0 : 0 }
            case 4: random.samples(length).map { $0 * 1e-6 }
            default: random.samples(length).map { $0 * 0.25 + 0.5 }
            }
        }
        return (frames, frames.map { frame in random.samples(length).map { $0 * 1e-8 * (frame[0] + 1e-3) } })
    }

    /// Frames in a transform: samples, length of the transform, offset in it.
    private static let cases = [
        (1, 2, 0), (2, 2, 0), (3, 4, 1), (5, 8, 2), (6, 6, 0), (7, 16, 9), (8, 8, 0), (17, 32, 5), (400, 512, 0),
        (400, 512, 56), (401, 512, 55), (402, 480, 3), (1024, 1024, 0),
    ]

    @Test(arguments: [LaneWindow.Order.natural, .evenThenOddReversed])
    func `frames come into lanes prepared and through the window, for batches of every size`(
        order: LaneWindow.Order
    ) throws {
        for (samples, length, offset) in Self.cases {
            let (frames, rests) = frames(samples, seed: 342)
            var random = RandomSource(seed: 343)
            let weights = (0..<samples).map { _ in Double.random(in: 0...1, using: &random) }
            for former in Self.preparations {
                for given in [[], rests] {
                    let prepared = frames.indices.map {
                        former.apply(frames[$0], rest: given.isEmpty ? nil : given[$0])
                    }
                    let expected = prepared.map { frame -> [UInt64] in
                        var row = [Double](repeating: 0, count: length)
                        for (n, sample) in frame.samples.enumerated() {
                            let at = offset + n
                            let folded = at % 2 == 0 ? at / 2 : length - 1 - at / 2
                            row[order == .natural ? at : folded] = sample * weights[n]
                        }
                        return row.map(\.bitPattern)
                    }
                    for kernels in sets {
                        let loops = kernels.pointee.lanes.pointee
                        for count in 1...loops.count {
                            var (lanes, energies) = (
                                [Double](repeating: .nan, count: length * loops.count),
                                [Double](repeating: .nan, count: loops.count)
                            )
                            try frameRun(frames, rests: given) { run in
                                var group = veery_frames(
                                    first: run.first, stride: run.stride, count: count, rest: run.rest ?? 0)
                                weights.withUnsafeBufferPointer { weights in
                                    guard let start = weights.baseAddress else { return }
                                    var window = veery_lane_window(
                                        preparation: steps(former), weights: start, samples: samples, length: length,
                                        offset: offset, step: 1, is_folded: order == .natural ? 0 : 1)
                                    loops.from_frames(&group, &window, &lanes, &energies)
                                }
                            }
                            let isEqual = (0..<loops.count).allSatisfy { lane in
                                // Lanes that are left over have the last frame.
                                let frame = min(lane, count - 1)
                                let row = (0..<length).map { lanes[$0 * loops.count + lane].bitPattern }
                                return row == expected[frame]
                                    && energies[lane].bitPattern == prepared[frame].energy.bitPattern
                            }
                            let name = String(cString: kernels.pointee.name)
                            #expect(isEqual, "\(name), \(samples) of \(length) from \(offset), \(count), \(former)")
                        }
                    }
                }
            }
        }
    }

    #if arch(x86_64)
        private typealias Precise = Float80
    #else
        private typealias Precise = Double
    #endif

    /// A frame as it comes into the last lane, and its energy.
    private func loaded(
        _ frame: [Float], _ rest: [Float], _ steps: veery_preparation
    ) throws -> (samples: [Double], energy: Double) {
        let loops = LaneLoops(length: frame.count)
        let (count, length) = (loops.groupRows, frame.count)
        let lanes = try DoubleBuffer(count: length * count)
        let window = LaneWindow(preparation: steps, weights: Array(repeating: 1, count: length))
        let loader = try LaneLoader(window, length: length, step: 1, loops)
        let (frames, rests) = (Array(repeating: frame, count: count), Array(repeating: rest, count: count))
        try frameRun(frames, rests: rests) { loader.load($0, into: lanes) }
        return ((0..<length).map { lanes.pointer[$0 * count + count - 1] }, loader.energies[0])
    }

    @Test func `mean, energy and pre-emphasis follow Kaldi's order, within a few roundings`() throws {
        for length in Self.lengths {
            let (frames, rests) = frames(length, seed: 344)
            for former in Self.preparations {
                for (frame, rest) in zip(frames, rests) {
                    var x = zip(frame, rest).map { Precise($0) + Precise($1) }
                    if former.removeDC {
                        let mean = x.reduce(0, +) / Precise(length)
                        x = x.map { $0 - mean }
                    }
                    let energy = former.measuresEnergy ? x.reduce(0) { $0 + $1 * $1 } : 0
                    let before = [x[0]] + x.dropLast()
                    let expected = zip(x, before).map { $0 - Precise(former.preEmphasis) * $1 }
                    let (found, sum) = try loaded(frame, rest, steps(former))
                    #expect(zip(found, expected).allSatisfy { abs(Precise($0) - $1) <= 5e-16 })
                    // Where the mean is all there is, nothing but rounding is left.
                    #expect(abs(Precise(sum) - energy) <= 1e-14 * energy + 1e-28)
                }
            }
        }
    }

    @Test func `the energy has the scale of the samples, squared`() throws {
        for (scale, factor) in [("unit", 1.0), ("int16", 32_768.0)] as [(SettingValue, Double)] {
            let plan = try ConfigurationCase(
                .logMel, ["audio.scale": scale, "transform": ["kind": "mfcc", "c0": "energy"]]
            ).plan()
            #expect(FramePreparation(plan, inputFactor: 0.5).energy(1.3125) == 1.3125 * factor * factor)
        }
    }

    @Test func `the energy is that of the samples before pre-emphasis and window, scaled like a band`() throws {
        let plan = try ConfigurationCase(.kaldiMFCC, ["frame.remove_dc": false]).plan()
        var random = RandomSource(seed: 349)
        let signal = random.samples(400)
        let energy = signal.reduce(0) { $0 + Double($1) * Double($1) } * 32_768 * 32_768
        #expect(abs(Double(try plan.features(of: signal)[0, 0]) - log(energy)) <= 1e-5)
        // Silence is at the floor, 2⁻²³.
        let silence = try plan.features(of: [Float](repeating: 0, count: 400))
        #expect(abs(Double(silence[0, 0]) - log(pow(2.0, -23))) <= 1e-5)
    }

    /// Passes, and a convolution; without a rest of the samples and with one.
    @Test(arguments: [512, 514], [0, 0.5])
    func `prepared frames do not depend on the cut of the stream`(fftLength: Int, emphasis: Double) throws {
        let configuration = try ConfigurationCase(
            .kaldiMFCC,
            ["frame.fft_length": .number(Double(fftLength)), "condition.pre_emphasis": .number(emphasis)])
        var random = RandomSource(seed: 350)
        // Batches read where they lie, batches that are gathered, and an end amid one.
        let signal = random.samples(21_003).map { $0 * 0.25 + 0.5 }
        let plan = try configuration.plan()
        let stream = try FeatureStream(plan)
        let whole = stream.rows(signal)
        #expect(whole.count == plan.frameCount(samples: signal.count) * plan.bins)
        for pieces in [[1], [7], [159], [160, 161], [1279, 1281], [1520], [4096], [9000, 1]] {
            #expect(stream.rows(signal, pieces: pieces) == whole, "pieces of \(pieces)")
        }
        // A frame by itself has the same row.
        for index in [0, 1, 7, 8, 60, plan.frameCount(samples: signal.count) - 1]
        where plan.configuration.condition.preEmphasis == 0 {
            let alone = stream.rows(Array(signal[(index * 160)..<(index * 160 + 400)]))
            #expect(alone == Array(whole[(index * plan.bins)..<((index + 1) * plan.bins)]), "frame \(index)")
        }
    }
}
