import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

struct EqualityTests {
    private let recording: SampleRecording
    private let configuration: FeatureConfiguration
    private let right: FeatureMatrix
    private let range: Float

    init() throws {
        recording = try SampleRecording()
        configuration = try SampleRecording.configuration()
        right = try recording.features(configuration)
        range = Float(ValueRange(right).whole)
    }

    /// The result where every value is off by a share of the range, up and down in turn: what no configuration explains.
    private func result(off share: Float, at indices: Range<Int>? = nil) throws -> ConformanceResult {
        let values = right.values.enumerated().map { index, value in
            indices?.contains(index) == false ? value : value + (index * 7919 % 13 < 6 ? share : -share) * range
        }
        return try recording.check(FeatureMatrix(bins: right.bins, values: values), configuration)
    }

    @Test func `the bounds of all values and of each`() throws {
        #expect(try result(off: 4e-5).isEqual && !result(off: 1e-4).isEqual)
        // One value up to 50 times the tolerance.
        #expect(try result(off: 2e-3, at: 400..<401).isEqual && !result(off: 4e-3, at: 400..<401).isEqual)
    }

    @Test func `a bin is held to its own range, which that of another one does not hide`() throws {
        let mfcc = try SampleRecording.configuration(.librosaMFCC)
        let cepstra = try recording.features(mfcc)
        let values = cepstra.values.enumerated().map { $0 % cepstra.bins == 19 ? $1 * 1.02 : $1 }
        let result = try recording.check(FeatureMatrix(bins: cepstra.bins, values: values), mfcc)
        let difference = try #require(result.recordings[0].difference)
        try #require(difference.typical < ConformanceCheck.usualTolerance)
        #expect(!result.isEqual && difference.worstBin.bin == 19)
        // Powers of quiet bands, next to loud ones.
        let powers = try SampleRecording.configuration(.logMel, [("scale.kind", .text("power"))])
        let loud = try recording.features(powers)
        let ceiling = Float(ValueRange(loud).whole)
        let more = FeatureMatrix(bins: loud.bins, values: loud.values.map { $0 + 4e-5 * ceiling })
        let found = try recording.check(more, powers)
        #expect(!found.isEqual && found.outcome?.explanation?.isComplete == true)
        let offset = try #require(found.outcome?.explanation?.fit.offset[0])
        #expect(found.outcome?.explanation?.meanings == [.addition(offset)])
    }

    @Test func `rounding of one value is a share of its magnitude, which is the range then`() {
        let low: Float = -100
        let cases: [(values: [Float], whole: Double)] = [
            ([low, low.nextUp, low.nextUp.nextUp], 100), ([0, 4e-7], 1), ([low, -99.9], 0.1),
        ]
        for (values, whole) in cases {
            let range = ValueRange(FeatureMatrix(bins: 1, values: values), isOfConstant: true)
            #expect(abs(range.whole - whole) < 1e-4)
            #expect(ValueRange.isRounding(FeatureMatrix(bins: 1, values: values)) == (whole >= 1))
        }
    }

    @Test func `rounding of a bin that hardly changes is not a difference`() throws {
        let values = right.values.enumerated().map { $0 % right.bins == 3 ? Float(-5) : $1 }
        let constant = FeatureMatrix(bins: right.bins, values: values)
        let near = FeatureMatrix(bins: right.bins, values: values.map { $0 * (1 + 3e-7) })
        let rows = RowAlignment(shift: 0, expectedRows: right.rows, givenRows: right.rows)
        let exact = ValueFit(model: .exact, factor: [1], offset: [0], rows: rows, residue: 0)
        let difference = ValueDifference(
            expected: constant, given: near, exact, rows: rows, range: ValueRange(near))
        #expect(difference.isEqual(tolerance: ConformanceCheck.usualTolerance))
    }

    @Test func `a detail that changes little is named, though values are within the tolerance`() throws {
        let expected = try SampleRecording.configuration(.parakeet)
        let other = try SampleRecording.configuration(.parakeet, [("normalize.epsilon", .number(1e-3))])
        // A coarser tolerance stands for a longer recording, which has less of the difference.
        let values = try recording.features(other)
        let near = try recording.check(values, expected, tolerance: 3e-4)
        let found = try #require(near.outcome)
        #expect(!near.isEqual && near.recordings[0].isSurpassed && near.recordings[0].hasEqualValues)
        #expect(found.gain.map { $0 > 100 } == true)
        #expect(
            found.explanation?.variations.flatMap { $0.effective(on: expected) }.map(\.key) == ["normalize.epsilon"])
        // Rounding that no change explains stays equal.
        #expect(try result(off: 4e-5).outcome == nil)
    }

    @Test func `what leaves more than half of the difference explains nothing`() throws {
        // Rounding within the tolerance, and an offset that takes it above.
        let values = right.values.enumerated().map { index, value in
            value + (2e-5 + (index * 7919 % 13 < 6 ? 4.9e-5 : -4.9e-5)) * range
        }
        let result = try recording.check(FeatureMatrix(bins: right.bins, values: values), configuration)
        let outcome = try #require(result.outcome)
        #expect(!result.isEqual && outcome.explanation == nil && outcome.lack == .little)
    }

    @Test func `single precision shows in quiet bins next to loud ones, up and down`() {
        let (rows, bins) = (40, 20)
        let levels = FeatureMatrix(bins: bins, values: (0..<(rows * bins)).map { -Float($0 % bins) })
        func isLikely(_ difference: (_ index: Int, _ depth: Float) -> Float) -> Bool {
            let values = levels.values.enumerated().map { $1 + difference($0, -$1) }
            let given = FeatureMatrix(bins: bins, values: values)
            return SinglePrecision.isLikely(expected: levels, given: given, levels: levels)
        }
        func sign(_ index: Int) -> Float { index * 7919 % 13 < 6 ? 1 : -1 }
        #expect(isLikely { sign($0) * exp($1 / 2) * 1e-3 })
        // A floor that is added raises all; other details change loud bins, too.
        #expect(!isLikely { _, depth in exp(depth / 2) * 1e-3 })
        #expect(!isLikely { index, _ in sign(index) * 1e-2 })
        #expect(!isLikely { _, _ in 0 })
    }

    @Test func `other constants than the configured ones are named as keys`() throws {
        let expected = try SampleRecording.configuration(.ast, [("rows", .null)])
        let half = try SampleRecording.configuration(.ast, [("rows", .null), ("normalize.std", .number(4.5689974))])
        let result = try recording.check(recording.features(half), expected)
        let found = try #require(result.outcome?.explanation)
        guard case .otherConstants(let mean, let std) = found.meanings.first else {
            Issue.record("\(found.meanings)")
            return
        }
        #expect(abs(mean + 4.2677393) < 1e-4 && abs(std - 4.5689974) < 1e-4 && found.isComplete)
    }

    @Test func `alternatives leave a smaller difference than no change, and no two have the same effect`() throws {
        let other = try SampleRecording.configuration(.logMel, [("transform.high", .whole(7600))])
        let result = try recording.check(recording.features(other), configuration)
        let outcome = try #require(result.outcome)
        let first = try #require(result.recordings[0].difference?.typical)
        #expect(!outcome.alternatives.isEmpty)
        #expect(outcome.alternatives.allSatisfy { $0.residue < 0.9 * first })
        #expect(Set(outcome.alternatives.map(\.residue)).count == outcome.alternatives.count)
    }

    /// The factors of a Hann window of 400 samples, which repeats after 400: its sum is 200, that of its squares 150.
    private static let factors: [FactorMeaning.Power: Double] = [
        .windowSum: 1 / 40_000.0, .windowPower: 1 / 150.0, .length: 1 / 512.0, .squaredLength: 1 / 262_144.0,
        .rateAndWindow: 1 / 2_400_000.0, .half: 0.5, .double: 2.0, .quarter: 0.25, .int16: 1_073_741_824.0,
        .unit: 1 / 1_073_741_824.0,
    ]

    @Test(arguments: FactorMeaning.Power.allCases)
    func `factors of the spectrum by their values`(power: FactorMeaning.Power) throws {
        let factor = try #require(Self.factors[power])
        let plan = try FeaturePlan(configuration, sampleRate: 16_000)
        #expect(FactorMeaning.of(factor: 1, offset: log(factor), plan, maximum: 3) == [.power(power)])
        let linear = try FeaturePlan(
            SampleRecording.configuration(.logMel, [("scale.kind", .text("power"))]), sampleRate: 16_000)
        #expect(FactorMeaning.of(factor: factor, offset: 0, linear, maximum: 3) == [.power(power)])
    }
}
