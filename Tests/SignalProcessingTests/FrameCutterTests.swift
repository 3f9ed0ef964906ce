import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// `framing.json`.
private struct FramingGolden: Decodable {
    struct Lengths: Decodable {
        let samples: Int
        let geometry: FrameGeometry

        private enum CodingKeys: String, CodingKey {
            case samples, length, hop
            case fftLength = "fft_length"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            samples = try values.decode(Int.self, forKey: .samples)
            let frame = try FrameConfiguration(
                length: .samples(values.decode(Int.self, forKey: .length)),
                hop: .samples(values.decode(Int.self, forKey: .hop)),
                fftLength: values.decode(Int.self, forKey: .fftLength))
            geometry = try frame.geometry(at: 16_000)
        }
    }

    struct Count: Decodable {
        let lengths: Lengths
        let start: Int
        let center: Int

        private enum CodingKeys: CodingKey { case start, center }

        init(from decoder: any Decoder) throws {
            lengths = try Lengths(from: decoder)
            let values = try decoder.container(keyedBy: CodingKeys.self)
            start = try values.decode(Int.self, forKey: .start)
            center = try values.decode(Int.self, forKey: .center)
        }
    }

    struct Frames: Decodable {
        let lengths: Lengths
        let align: FrameAlignment
        let pad: EdgePadding
        let rows: Int
        let values: [Float]

        private enum CodingKeys: CodingKey { case align, pad, rows, values }

        init(from decoder: any Decoder) throws {
            lengths = try Lengths(from: decoder)
            let values = try decoder.container(keyedBy: CodingKeys.self)
            align = try values.decode(FrameAlignment.self, forKey: .align)
            pad = try values.decode(EdgePadding.self, forKey: .pad)
            rows = try values.decode(Int.self, forKey: .rows)
            self.values = try values.decode([Float].self, forKey: .values)
        }
    }

    let counts: [Count]
    let frames: [Frames]
}

struct FrameCutterTests {
    @Test func `numbers of frames equal librosa's`() throws {
        let golden: FramingGolden = try Fixtures.golden("framing.json")
        try #require(golden.counts.count >= 72)
        for known in golden.counts {
            let (samples, geometry) = (known.lengths.samples, known.lengths.geometry)
            for (align, expected) in [(FrameAlignment.start, known.start), (.center, known.center)] {
                let count = FramePlacement(align: align, pad: .zero).frameCount(
                    samples: samples, geometry: geometry)
                #expect(count == expected, "\(samples) samples, \(geometry), \(align)")
                let cut = frames(
                    of: [Float](repeating: 1, count: samples), geometry: geometry, align: align, pad: .reflect,
                    piece: 100)
                #expect(cut.count == expected, "\(samples) samples, \(geometry), \(align)")
            }
        }
    }

    @Test(arguments: [1, 2, 7, 1000])
    func `frames hold what NumPy's padding puts there`(piece: Int) throws {
        let golden: FramingGolden = try Fixtures.golden("framing.json")
        try #require(golden.frames.count >= 108)
        for known in golden.frames {
            let signal = (0..<known.lengths.samples).map { Float($0 + 1) }
            let cut = frames(
                of: signal, geometry: known.lengths.geometry, align: known.align, pad: known.pad, piece: piece)
            #expect(cut.count == known.rows)
            #expect(
                cut.flatMap { $0 } == known.values,
                "\(signal.count) samples, \(known.lengths.geometry), \(known.align), \(known.pad)")
        }
    }

    @Test(arguments: [
        (400, 160, 512), (25, 10, 25), (5, 9, 16), (100, 5000, 128), (9000, 4500, 16_384), (3, 20_000, 4),
    ])
    func `frames of a long signal start where they should`(length: Int, hop: Int, fftLength: Int) throws {
        let frame = try FrameConfiguration(length: .samples(length), hop: .samples(hop), fftLength: fftLength)
        let geometry = try frame.geometry(at: 1)
        // Integers below 2²⁴ are exact in single precision, and show their positions.
        let signal = (0..<70_001).map { Float($0 + 1) }
        for piece in [1, 8191, 100_000] {
            for align in [FrameAlignment.start, .center] {
                let lead = align == .center ? fftLength / 2 - (fftLength - length) / 2 : 0
                let cut = frames(of: signal, geometry: geometry, align: align, pad: .zero, piece: piece)
                let expected = FramePlacement(align: align, pad: .zero).frameCount(
                    samples: signal.count, geometry: geometry)
                #expect(cut.count == expected)
                let wrong = cut.indices.filter { index in
                    let first = index * hop - lead
                    let positions = first..<first + length
                    return cut[index] != positions.map { signal.indices.contains($0) ? Float($0 + 1) : 0 }
                }
                #expect(wrong.isEmpty, "\(align), pieces of \(piece)")
            }
        }
    }

    @Test func `a cutter is ready for the next signal after the end, and after a reset in the middle`() throws {
        let geometry = try FrameConfiguration(length: .samples(7), hop: .samples(3), fftLength: 8).geometry(at: 1)
        let signal = (0..<50).map { Float($0 + 1) }
        for align in FrameAlignment.allCases {
            let fresh = frames(of: signal, geometry: geometry, align: align, pad: .reflect, piece: 50)
            var cutter = FrameCutter(
                geometry: geometry, placement: FramePlacement(align: align, pad: .reflect))
            for interrupted in [false, true] {
                [Float](repeating: -1, count: 29).withUnsafeBufferPointer { samples in cutter.push(samples) { _ in } }
                if interrupted { cutter.reset() } else { cutter.finish { _ in } }
                var cut: [[Float]] = []
                func keep(_ run: FrameRun) {
                    for index in 0..<run.count { cut.append(Array(UnsafeBufferPointer(start: run[index], count: 7))) }
                }
                signal.withUnsafeBufferPointer { samples in cutter.push(samples) { keep($0) } }
                cutter.finish { keep($0) }
                #expect(cut == fresh, "\(align), interrupted: \(interrupted)")
            }
        }
    }
}
