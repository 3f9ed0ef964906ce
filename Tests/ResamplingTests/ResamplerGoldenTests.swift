import FeatureModel
import TestSupport
import Testing

@testable import Resampling

/// What the originals make of noise, by `make_resampler_goldens.py`.
private struct ResamplerGolden: Decodable {
    struct Case: Decodable, CustomTestStringConvertible {
        let from: Int
        let to: Int
        let samples: Int
        let methods: [String: Output?]

        var testDescription: String { "\(samples) samples from \(from) to \(to) Hz" }
    }

    struct Output: Decodable {
        let count: Int
        let parts: [Part]
    }

    struct Part: Decodable {
        let start: Int
        let values: [Double]
    }

    let cases: [Case]
}

struct ResamplerGoldenTests {
    /// 16 bits of each number of the generator that the script has.
    private func noise(_ count: Int) -> [Float] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = 1_664_525 &* state &+ 1_013_904_223
            return Float(state >> 16) / 32_768 - 1
        }
    }

    private static let methods = ResamplingMethod.allCases.filter { !$0.isSoxr }

    @Test(arguments: methods)
    func `samples are those of the original, to 1e-6 of full scale`(method: ResamplingMethod) throws {
        let cases = try Fixtures.golden("resamplers.json", as: ResamplerGolden.self).cases
        try #require(cases.count >= 20)
        for golden in cases {
            let words = Comment(rawValue: golden.testDescription)
            guard let expected = try #require(golden.methods[method.rawValue]) else {
                #expect(throws: ClipFailure.self, words) {
                    try Resampler(from: golden.from, to: golden.to, by: method).output(noise(golden.samples))
                }
                continue
            }
            let found = try Resampler(from: golden.from, to: golden.to, by: method).output(noise(golden.samples))
            #expect(found.count == expected.count, words)
            for part in expected.parts {
                for (index, value) in part.values.enumerated() where part.start + index < found.count {
                    let difference = abs(Double(found[part.start + index]) - value)
                    #expect(difference <= 1e-6, "\(words): sample \(part.start + index) is \(difference) off")
                }
            }
        }
    }

    @Test func `an original's refusal says why`() throws {
        let short = ClipFailure.cannotResample(
            input: 44_100, output: 16_000, words: "kaiser_best makes no sample of 2 samples")
        #expect(throws: short) { try Resampler(from: 44_100, to: 16_000, by: .kaiserBest).output([0.5, 0.5]) }
        #expect(try Resampler(from: 44_100, to: 16_000, by: .kaiserBest).output([0.5, 0.5, 0.5]).count == 1)
        #expect(throws: ClipFailure.self) { try Resampler.check(from: 16_000, to: 16, by: .kaiserFast) }
        #expect(throws: ClipFailure.self) { try Resampler(from: 513, to: 1, by: .kaiserFast) }
        #expect(try Resampler(from: 512, to: 1, by: .kaiserFast).output(noise(1024)).count == 2)
    }
}
