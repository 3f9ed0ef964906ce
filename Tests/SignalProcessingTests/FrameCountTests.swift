import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// `frame-counts.json`: how many frames other programs made of 1 … `longest` samples.
private struct FrameCountGolden: Decodable {
    struct Case: Decodable, CustomTestStringConvertible {
        let length: Int
        let hop: Int
        let fftLength: Int
        let counts: [String: [Int?]]

        init(from decoder: any Decoder) throws {
            let values = try decoder.singleValueContainer().decode([String: Entry].self)
            var numbers: [String: Int] = [:]
            var counts: [String: [Int?]] = [:]
            for (name, entry) in values {
                switch entry {
                case .number(let number): numbers[name] = number
                case .segments(let segments): counts[name] = Self.expanded(segments)
                }
            }
            length = numbers["length"] ?? 0
            hop = numbers["hop"] ?? 0
            fftLength = numbers["fft_length"] ?? 0
            self.counts = counts
        }

        /// The counts of 1 … `FrameCountGolden.longest` samples from entries [first n, count, every].
        private static func expanded(_ segments: [[Int?]]) -> [Int?] {
            segments.indices.flatMap { index -> [Int?] in
                let first = (segments[index][0] ?? 0)
                let following = index + 1 < segments.count ? segments[index + 1][0] ?? 0 : FrameCountGolden.longest + 1
                guard let count = segments[index][1], let every = segments[index][2] else {
                    return Array(repeating: nil, count: following - first)
                }
                return (first..<following).map { every == 0 ? count : count + ($0 - first) / every }
            }
        }

        var testDescription: String { "\(length)/\(hop)/\(fftLength)" }

        /// What a program returned for 1, 2 … samples.
        func counts(_ program: String) throws -> [Int?] {
            let counts = try #require(counts[program], "\(program) is missing")
            try #require(counts.count == FrameCountGolden.longest)
            return counts
        }

        func geometry(length: Int? = nil) throws -> FrameGeometry {
            try FrameConfiguration(
                length: .samples(length ?? self.length), hop: .samples(hop), fftLength: fftLength
            ).geometry(at: 16_000)
        }
    }

    private enum Entry: Decodable {
        case number(Int)
        case segments([[Int?]])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .segments(try container.decode([[Int?]].self))
            }
        }
    }

    static let longest = 5000
    let longest: Int
    let cases: [Case]

    static func cases() throws -> [Case] {
        let golden: FrameCountGolden = try Fixtures.golden("frame-counts.json")
        try #require(golden.longest == longest && golden.cases.count >= 15)
        return golden.cases
    }
}

struct FrameCountTests {
    /// The lengths for which our number differs from theirs; where they refuse, `refused` is expected.
    private func differences(
        _ theirs: [Int?], _ geometry: FrameGeometry, _ align: FrameAlignment, dropLast: Bool = false,
        refused: (Int) -> Int?
    ) -> [Int] {
        let placement = FramePlacement(align: align, pad: .reflect, dropLast: dropLast)
        return theirs.indices.compactMap { index in
            guard let expected = theirs[index] ?? refused(index + 1) else { return nil }
            let ours = placement.frameCount(samples: index + 1, geometry: geometry)
            return ours == (dropLast ? expected - 1 : expected) ? nil : index + 1
        }
    }

    @Test func `align start makes the frames of Kaldi and librosa.util.frame`() throws {
        for known in try FrameCountGolden.cases() {
            let geometry = try known.geometry()
            for program in ["kaldi_snip", "librosa_frame"] {
                let wrong = differences(try known.counts(program), geometry, .start) { _ in 0 }
                #expect(wrong.isEmpty, "\(known.testDescription), \(program): \(wrong.prefix(5))")
            }
        }
    }

    @Test func `align start with frames as long as the transform counts as librosa and torch with center=False`() throws
    {
        for known in try FrameCountGolden.cases() {
            let geometry = try known.geometry(length: known.fftLength)
            for program in ["librosa_start", "torch_start"] {
                let wrong = differences(try known.counts(program), geometry, .start) { _ in 0 }
                #expect(wrong.isEmpty, "\(known.testDescription), \(program): \(wrong.prefix(5))")
            }
        }
    }

    @Test func `align center counts frames as librosa and torch, and one less with drop_last`() throws {
        for known in try FrameCountGolden.cases() {
            let geometry = try known.geometry()
            for program in ["librosa_center", "torch_center"] {
                let theirs = try known.counts(program)
                // torch refuses a signal that is too short to be mirrored once; librosa refuses none.
                #expect(theirs.count { $0 == nil } <= (program == "torch_center" ? known.fftLength / 2 : 0))
                for dropLast in [false, true] {
                    let wrong = differences(theirs, geometry, .center, dropLast: dropLast) { _ in nil }
                    #expect(wrong.isEmpty, "\(known.testDescription), \(program): \(wrong.prefix(5))")
                }
            }
        }
    }

    @Test func `align kaldi counts frames as Kaldi with snip-edges=false`() throws {
        for known in try FrameCountGolden.cases() {
            let wrong = differences(try known.counts("kaldi_mirror"), try known.geometry(), .kaldi) { _ in 0 }
            #expect(wrong.isEmpty, "\(known.testDescription): \(wrong.prefix(5))")
        }
    }

    @Test(arguments: FrameAlignment.allCases)
    func `without samples there are no frames`(align: FrameAlignment) throws {
        for known in try FrameCountGolden.cases() {
            for dropLast in [false, true] {
                let placement = FramePlacement(align: align, pad: .reflect, dropLast: dropLast)
                #expect(placement.frameCount(samples: 0, geometry: try known.geometry()) == 0)
            }
        }
    }

    @Test(arguments: FrameAlignment.allCases)
    func `the number of frames is the one that is counted`(align: FrameAlignment) throws {
        let signal = [Float](repeating: 0, count: FrameCountGolden.longest)
        for known in try FrameCountGolden.cases() {
            let geometry = try known.geometry()
            for dropLast in align == .center ? [false, true] : [false] {
                let placement = FramePlacement(align: align, pad: .reflect, dropLast: dropLast)
                var cutter = FrameCutter(geometry: geometry, placement: placement)
                for count in Array(0...130) + Array(stride(from: 131, through: signal.count, by: 61)) {
                    var frames = 0
                    signal[..<count].withUnsafeBufferPointer { samples in cutter.push(samples) { frames += $0.count } }
                    cutter.finish { frames += $0.count }
                    #expect(
                        frames == placement.frameCount(samples: count, geometry: geometry),
                        "\(count) samples, \(known.testDescription), drop_last \(dropLast)")
                }
            }
        }
    }

    @Test func `the fewest samples for a row make one, and one sample less makes none`() throws {
        for known in try FrameCountGolden.cases() {
            let settings: [[String: SettingValue]] = [
                [:], ["frame.align": "center"], ["frame.align": "center", "frame.drop_last": true],
                ["frame.align": "kaldi"],
            ]
            for setting in settings {
                let lengths: [String: SettingValue] = [
                    "frame.length": .number(Double(known.length)), "frame.hop": .number(Double(known.hop)),
                    "frame.fft_length": .number(Double(known.fftLength)), "transform": ["kind": "fft"],
                ]
                let plan = try ConfigurationCase(.logMel, lengths.merging(setting) { $1 }).plan()
                #expect(plan.frameCount(samples: plan.minimumSamples) == 1, "\(known.testDescription) \(setting)")
                #expect(plan.frameCount(samples: plan.minimumSamples - 1) == 0, "\(known.testDescription) \(setting)")
            }
        }
    }
}
