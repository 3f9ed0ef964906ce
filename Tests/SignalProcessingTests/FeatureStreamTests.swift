import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// A geometry with an alignment, for tests that go through several.
struct StreamCase: CustomTestStringConvertible {
    let length: Int
    let hop: Int
    let fftLength: Int
    let align: FrameAlignment
    let pad: EdgePadding

    var testDescription: String { "\(length)/\(hop)/\(fftLength) \(align) \(pad)" }

    static let all: [StreamCase] = {
        let lengths = [(400, 160, 512), (7, 3, 8), (25, 10, 25), (5, 9, 16), (512, 512, 512), (64, 700, 64)]
        let ends: [(FrameAlignment, EdgePadding)] = [(.start, .zero), (.center, .zero), (.center, .reflect)]
        var cases: [StreamCase] = []
        for (length, hop, fftLength) in lengths {
            for (align, pad) in ends {
                cases.append(StreamCase(length: length, hop: hop, fftLength: fftLength, align: align, pad: pad))
            }
        }
        return cases
    }()

    func plan() throws -> FeaturePlan {
        try FeaturePlan(
            configuration(length: length, hop: hop, fftLength: fftLength, window: .hann, align: align, pad: pad),
            sampleRate: 16_000)
    }
}

struct FeatureStreamTests {
    @Test(arguments: StreamCase.all)
    func `rows do not depend on how a signal is cut into pieces`(geometry: StreamCase) throws {
        var random = RandomSource(seed: 31)
        let plan = try geometry.plan()
        let stream = try FeatureStream(plan)
        let seeded = (0..<50).map { _ in Int.random(in: 1...5000, using: &random) }
        // The last is long enough for the cutter's buffer to be moved several times.
        for count in [0, 1, 2, 3, geometry.length - 1, geometry.length, 1000, 40_000] {
            let signal = random.samples(count)
            let whole = stream.rows(signal)
            #expect(whole.count == plan.frameCount(samples: count) * plan.bins, "\(count) samples")
            for pieces in [[1], [7], [160], [4096], seeded] {
                #expect(stream.rows(signal, pieces: pieces) == whole, "\(count) samples in pieces of \(pieces[0])")
            }
        }
    }

    @Test(arguments: StreamCase.all)
    func `features of a whole signal are the stream's rows`(geometry: StreamCase) throws {
        var random = RandomSource(seed: 32)
        let plan = try geometry.plan()
        let signal = random.samples(3000)
        let features = try plan.features(of: signal)
        #expect(features.bins == plan.bins)
        #expect(features.rows == plan.frameCount(samples: 3000))
        #expect(features.values.map(\.bitPattern) == (try FeatureStream(plan).rows(signal, pieces: [333])))
    }

    @Test(arguments: StreamCase.all)
    func `the number of rows is the one foretold, for 0 to 2500 samples`(geometry: StreamCase) throws {
        let plan = try geometry.plan()
        let signal = [Float](repeating: 0, count: 2500)
        var cutter = FrameCutter(
            geometry: plan.geometry, placement: FramePlacement(align: geometry.align, pad: geometry.pad))
        for count in 0...2500 {
            var frames = 0
            signal[..<count].withUnsafeBufferPointer { samples in cutter.push(samples) { frames += $0.count } }
            cutter.finish { frames += $0.count }
            #expect(frames == plan.frameCount(samples: count), "\(count) samples")
        }
        let stream = try FeatureStream(plan)
        for count in stride(from: 0, through: 2500, by: 83) {
            let rows = stream.rows([Float](repeating: 0, count: count)).count / plan.bins
            #expect(rows == plan.frameCount(samples: count), "\(count) samples")
        }
    }

    @Test(arguments: StreamCase.all)
    func `after the end a stream gives the next clip the rows that a fresh one gives`(geometry: StreamCase) throws {
        var random = RandomSource(seed: 33)
        let plan = try geometry.plan()
        let used = try FeatureStream(plan)
        for count in [2500, 1, 0, 9000, 300, 20_000] {
            let signal = random.samples(count)
            #expect(used.rows(signal) == (try FeatureStream(plan).rows(signal)), "\(count) samples")
        }
    }

    @Test(arguments: StreamCase.all)
    func `a reset in the middle forgets the clip`(geometry: StreamCase) throws {
        var random = RandomSource(seed: 34)
        let plan = try geometry.plan()
        let used = try FeatureStream(plan)
        let signal = random.samples(4000)
        let expected = try FeatureStream(plan).rows(signal)
        for count in [1, 100, 1500, 9000] {
            _ = used.push(random.samples(count))
            used.start()
            #expect(used.rows(signal) == expected, "after \(count) samples")
        }
        used.start()
        #expect(used.finish().isEmpty)
    }

    @Test func `an error of the receiver reaches the caller, and a reset makes the stream usable`() throws {
        struct Refused: Error {}
        let plan = try StreamCase.all[0].plan()
        let stream = try FeatureStream(plan)
        let signal = [Float](repeating: 0.25, count: 16_000)
        #expect(throws: Refused.self) {
            try signal.withUnsafeBufferPointer { samples in
                try stream.push(samples) { (_: UnsafeBufferPointer<Float>) throws(Refused) in throw Refused() }
            }
        }
        stream.start()
        #expect(stream.rows(signal) == (try FeatureStream(plan).rows(signal)))
    }
}
