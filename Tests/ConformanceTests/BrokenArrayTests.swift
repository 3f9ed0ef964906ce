import ArrayFiles
import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

struct BrokenArrayTests {
    private let recording: SampleRecording
    private let configuration: FeatureConfiguration
    private let right: FeatureMatrix

    init() throws {
        recording = try SampleRecording()
        configuration = try SampleRecording.configuration()
        right = try recording.features(configuration)
    }

    private func transposed(_ matrix: FeatureMatrix) -> [Float] {
        (0..<matrix.bins).flatMap { bin in (0..<matrix.rows).map { matrix[$0, bin] } }
    }

    @Test func `the features themselves are equal`() throws {
        let result = try recording.check(right, configuration)
        #expect(result.isEqual && result.outcome == nil && result.recordings[0].difference?.maximum == 0)
    }

    @Test func `rounding of single precision is equal, a change of a thousandth of the range is not`() throws {
        let near = FeatureMatrix(bins: right.bins, values: right.values.map { $0 * (1 + 1e-6) })
        #expect(try recording.check(near, configuration).isEqual)
        // A quiet value may be farther off, all of them may not.
        var values = right.values
        values[100] += 0.02
        #expect(try recording.check(values, shape: [right.rows, right.bins], configuration).isEqual)
        let far = right.values.enumerated().map { $1 + ($0 % 2 == 0 ? 0.02 : -0.02) }
        #expect(try !recording.check(far, shape: [right.rows, right.bins], configuration).isEqual)
    }

    @Test func `shape alone`() throws {
        let (rows, bins) = (right.rows, right.bins)
        for (shape, values, steps) in [
            ([1, rows, bins], right.values, [.extraAxes]), ([bins, rows], transposed(right), [.transposed]),
            ([1, 1, bins, rows], transposed(right), [.extraAxes, .transposed]),
            ([rows * bins], right.values, [.flattened]),
            ([rows / 2, 2 * bins], Array(right.values[..<(rows / 2 * 2 * bins)]), [.stacked]),
            ([rows / 9, 9, bins], Array(right.values[..<(rows / 9 * 9 * bins)]), [.patches]),
        ] as [([Int], [Float], [ArrayLayout.Step])] {
            let result = try recording.check(values, shape: shape, configuration)
            let isWhole = values.count == right.values.count
            #expect(result.isEqual == steps.allSatisfy { $0 == .extraAxes || $0 == .transposed })
            #expect(result.recordings[0].hasEqualValues && (result.outcome == nil) == isWhole)
            #expect(result.recordings[0].layout?.steps == steps)
        }
    }

    @Test func `an axis that has the number of bins is one of bins, whatever else fits`() throws {
        let array = NumericArray(shape: [80, 400], values: Array(repeating: 1, count: 32_000))
        for bins in [80, 23] {
            let layout = try #require(ArrayLayout.candidates(array, rows: 398, bins: bins).first)
            #expect(layout.steps == [.transposed] && layout.matrix.bins == 80)
        }
        let stacked = NumericArray(shape: [199, 160], values: Array(repeating: 1, count: 31_840))
        #expect(ArrayLayout.candidates(stacked, rows: 398, bins: 23).first?.steps == [.stacked])
    }

    @Test func `as many rows as bins: the values tell which axis is which`() throws {
        let recording = try SampleRecording(seconds: 0.025 + 0.79)
        let right = try recording.features(configuration)
        try #require(right.rows == right.bins)
        #expect(try recording.check(right, configuration).isEqual)
        let result = try recording.check(transposed(right), shape: [80, 80], configuration)
        #expect(result.recordings[0].hasEqualValues && result.recordings[0].layout?.steps == [.transposed])
    }

    @Test func `rows after the expected ones that hold one value`() throws {
        let values = right.values + Array(repeating: 0.467, count: 40 * right.bins)
        let result = try recording.check(values, shape: [right.rows + 40, right.bins], configuration)
        let found = result.recordings[0]
        #expect(!result.isEqual && found.hasEqualValues && found.layout?.steps == [.filledRows])
        #expect(found.layout?.padding?.count == 40 && found.layout?.padding?.value == 0.467)
    }

    @Test(arguments: [1, 2, 3, 7])
    func `the first rows are missing`(count: Int) throws {
        let values = Array(right.values[(count * right.bins)...])
        let result = try recording.check(values, shape: [right.rows - count, right.bins], configuration)
        let found = try #require(result.outcome?.explanation)
        #expect(found.isComplete && found.fit.rows.shift == count && found.variations.isEmpty)
    }

    @Test func `rows before the first are named; without a key that drops them, missing ones explain nothing`() throws {
        let before = Array(repeating: Float(-3), count: 2 * right.bins) + right.values
        let early = try recording.check(before, shape: [right.rows + 2, right.bins], configuration)
        #expect(early.outcome?.explanation?.fit.rows.shift == -2)
        let cut = Array(right.values[..<((right.rows - 20) * right.bins)])
        let found = try recording.check(cut, shape: [right.rows - 20, right.bins], configuration)
        #expect(found.outcome?.explanation?.fit.rows.isComplete == true && !found.isEqual)
        #expect(found.outcome?.explanation?.variations.isEmpty == false)
        for (given, isNear) in [(48, true), (53, false), (47, false), (52, true)] {
            #expect(RowAlignment(shift: 0, expectedRows: 50, givenRows: given).isNearlyComplete == isNear)
        }
    }

    @Test func `a factor and an offset are recognised by name`() throws {
        let maximum = try #require(right.values.max())
        let decibels = 10 / log(10.0)
        for (factor, offset, meaning) in [
            (2 * decibels, 0, .logarithm(.db, multiple: 2)), (1 / log(2.0), 0, .binaryLogarithm),
            (0.5, 0, .logarithm(.ln, multiple: 0.5)), (1, log(0x1p30), .power(.int16)),
            (1, -2 * log(512.0), .power(.squaredLength)), (1, Double(-maximum), .relativeToMaximum),
            (1 / 9.1379948, 4.2677393 / 9.1379948, .constants("AST on AudioSet")),
        ] as [(Double, Double, FactorMeaning)] {
            let values = right.values.map { Float(factor * Double($0) + offset) }
            let result = try recording.check(values, shape: [right.rows, right.bins], configuration)
            let found = try #require(result.outcome?.explanation)
            // Another range of the samples is a key, as long as no value is at the floor.
            if meaning == .power(.int16), found.fit.model == .exact { continue }
            // So is another reference.
            if meaning == .relativeToMaximum {
                #expect(found.isComplete && found.fit.model == .exact)
                #expect(
                    found.variations.flatMap(\.assignments).contains {
                        $0.key == "scale.reference" && $0.value.text == "max"
                    })
                continue
            }
            #expect(found.isComplete && found.fit.model == .affine)
            #expect(found.meanings.last == meaning, "\(found.meanings) for \(meaning)")
        }
    }

    @Test func `samples at their own rate, not resampled`() throws {
        let recording = try SampleRecording(rate: 22_050)
        let result = try recording.check(recording.features(configuration), configuration)
        #expect(result.recordings[0].resampledFrom == 22_050)
        let found = try #require(result.outcome?.explanation)
        #expect(found.isComplete && found.variations.count == 1 && found.variations[0].ignoresRate)
    }

    @Test(arguments: [ResamplingMethod.torchaudio, .kaiserBest, .kaiserFast, .polyphase, .soxrMQ])
    func `samples that another program resampled`(method: ResamplingMethod) throws {
        let recording = try SampleRecording(rate: 22_050)
        let audio = try AudioConfiguration(resampler: method)
        let clip = Clip(index: 0, id: "a", path: recording.path)
        let signals = try RecordingSignals(clip, path: recording.path, audio: audio, policy: RecordingPolicy()).signals
        let result = try recording.check(recording.features(configuration, of: signals[0]), configuration)
        #expect(!result.isEqual)
        let found = try #require(result.outcome?.explanation)
        #expect(
            found.isComplete
                && found.variations.flatMap(\.assignments).map(\.text) == ["audio.resampler=\(method.rawValue)"])
    }

    @Test func `the first channel, where the mean is expected`() throws {
        let recording = try SampleRecording(channels: 2)
        let result = try recording.check(recording.features(configuration), configuration)
        let found = try #require(result.outcome?.explanation)
        #expect(found.isComplete && found.variations.flatMap(\.assignments).map(\.text) == ["audio.channels=first"])
    }

    @Test func `NaN is never equal`() throws {
        var values = right.values
        values[5] = .nan
        values[77] = .infinity
        let result = try recording.check(values, shape: [right.rows, right.bins], configuration)
        #expect(!result.isEqual && result.recordings[0].difference?.nonFinite == 2)
    }

    @Test(arguments: [false, true])
    func `rows in patches, apart, stacked or overlapping, where they are expected`(isStacked: Bool) throws {
        let keys: [(String, ConfigurationValue)] = [
            ("patches.length", .whole(20)), ("patches.hop", .whole(10)), ("patches.stacked", .flag(isStacked)),
        ]
        let grouped = try SampleRecording.configuration(.logMel, keys)
        let rows = try recording.features(grouped)
        let count = 1 + (right.rows - 20) / 10
        #expect(rows.rows == 20 * count)
        let shape = isStacked ? [count, 1600] : [count, 20, 80]
        let result = try recording.check(rows.values, shape: shape, grouped)
        #expect(result.isEqual && result.recordings[0].expectedShape == shape)
        // The same values without patches are not equal.
        let flat = try recording.check(rows.values, shape: [rows.rows, 80], grouped)
        #expect(!flat.isEqual && flat.recordings[0].hasEqualValues && flat.recordings[0].expectedShape == shape)
        #expect(flat.recordings[0].layout?.steps == [.apart])
        #expect(try !recording.check(right, grouped).isEqual)
    }

    @Test func `another array altogether is not explained`() throws {
        var random = RandomSource(seed: 3)
        let values = random.samples(right.values.count)
        let result = try recording.check(values, shape: [right.rows, right.bins], configuration)
        #expect(!result.isEqual && result.outcome?.explanation == nil && result.outcome?.lack == .unrelated)
        #expect(try recording.check([1, 2, 3], shape: [3], configuration).recordings[0].obstacle == .shape)
        let two = try recording.check(right.values + right.values, shape: [2, right.rows, right.bins], configuration)
        #expect(two.recordings[0].obstacle == .shape)
        for value in [0, 7] as [Float] {
            let same = Array(repeating: value, count: right.values.count)
            let result = try recording.check(same, shape: [right.rows, right.bins], configuration)
            #expect(!result.isEqual && result.outcome == nil && result.recordings[0].obstacle == .oneValue(value))
        }
    }

    @Test func `rows that are equal are found, where others are not`() throws {
        var values = right.values
        values.replaceSubrange((50 * right.bins)..., with: (50..<right.rows).flatMap { _ in right[row: 49] })
        let result = try recording.check(values, shape: [right.rows, right.bins], configuration)
        let rows = try #require(result.recordings[0].equalRows)
        #expect(result.outcome?.lack == .someRows && result.outcome?.explanation == nil)
        #expect(rows.run == 0..<50 && rows.count == 50 && rows.firstOther == 50 && rows.compared == right.rows)
        // One value that is far off makes the range large, in which all rows seem equal.
        var far = right.values.map { -$0 }
        far[0] = 1e7
        let target = Target(try layout(far), tolerance: ConformanceCheck.usualTolerance)
        #expect(EqualRows(expected: right, target) == nil)
        // Rows that are the same as the one before them tell nothing.
        let constant = FeatureMatrix(bins: right.bins, values: right.values.map { _ in 1 })
        let some = Target(
            try layout(constant.values.indices.map { $0 < 40 * right.bins ? 1 : 2 }),
            tolerance: ConformanceCheck.usualTolerance)
        #expect(EqualRows(expected: constant, some) == nil)
    }

    @Test func `a run of equal rows is named in an array of noise, however small its share`() throws {
        let recording = try SampleRecording(seconds: 4)
        let right = try recording.features(configuration)
        var random = RandomSource(seed: 5)
        for (count, isNamed) in [(9, true), (4, false)] {
            try #require(Double(count) < 0.1 * Double(right.rows))
            let noise = random.samples((right.rows - count) * right.bins)
            let values = Array(right.values[..<(count * right.bins)]) + noise
            let result = try recording.check(values, shape: [right.rows, right.bins], configuration)
            #expect(result.outcome?.lack == (isNamed ? .someRows : .unrelated) && result.outcome?.explanation == nil)
            #expect(result.recordings[0].equalRows?.run == (isNamed ? 0..<count : nil))
        }
        // Nearly the same row again and again is no more than one.
        var nearly = Array(repeating: Float(1), count: right.values.count)
        for row in 0..<40 { nearly[row * right.bins] += row % 2 == 0 ? 1e-5 : 0 }
        nearly[nearly.count - 1] = 20
        let expected = FeatureMatrix(bins: right.bins, values: nearly)
        let given = nearly.indices.map { $0 < 40 * right.bins ? nearly[$0] : 3 }
        let array = NumericArray(shape: [right.rows, right.bins], values: given)
        let layout = try #require(ArrayLayout.candidates(array, rows: right.rows, bins: right.bins).first)
        let target = Target(layout, tolerance: ConformanceCheck.usualTolerance)
        #expect(EqualRows(expected: expected, target) == nil)
    }

    private func layout(_ values: [Float]) throws -> ArrayLayout {
        let array = NumericArray(shape: [right.rows, right.bins], values: values)
        return try #require(ArrayLayout.candidates(array, rows: right.rows, bins: right.bins).first)
    }

    @Test func `ranks tell whether series have something to do with each other`() {
        let series: [Float] = [3, 1, 2, 7, 5]
        #expect(RankCorrelation.of(series, series.map { $0 * $0 }) == 1)
        #expect(RankCorrelation.of(series, series.map { -$0 }) == -1)
        #expect(RankCorrelation.of(series, [1, 1, 1, 1, 1]) == 0 && RankCorrelation.of([], []) == 0)
        // Equal values share the mean of their positions.
        #expect(abs(RankCorrelation.of([1, 1, 2, 2], [1, 2, 3, 4]) - 0.8.squareRoot()) < 1e-12)
    }

    @Test func `one row, and one value`() throws {
        let recording = try SampleRecording(seconds: 0.026)
        let right = try recording.features(configuration)
        try #require(right.rows == 1)
        #expect(try recording.check(right, configuration).isEqual)
        let result = try recording.check(right.values.map { $0 + 1 }, shape: [1, 80], configuration)
        #expect(result.outcome?.explanation != nil && !result.isEqual)
        _ = try recording.check([1], shape: [1, 1], configuration)
        _ = try recording.check([1], shape: [], configuration)
        _ = try recording.check([], shape: [0, 80], configuration)
    }

    @Test func `the result does not depend on the number of threads`() throws {
        let other = try recording.features(
            SampleRecording.configuration(.logMel, [("frame.window", .text("hamming")), ("transform.low", .whole(64))]))
        let file = recording.folder.path("t.npy")
        try NPYFile.bytes(other.values, shape: [other.rows, other.bins]).write(to: URL(filePath: file))
        let clip = Clip(index: 0, id: "a", path: recording.path)
        let found = try [1, 3].map { jobs in
            let check = try ConformanceCheck(ArrayCollection(path: file), configuration, jobs: jobs)
            return try check.run([.init(clip: clip, path: recording.path, arrayName: nil)]).outcome
        }
        #expect(found[0]?.explanation?.variations == found[1]?.explanation?.variations)
        #expect(found[0]?.explanation?.difference == found[1]?.explanation?.difference)
        #expect(found[0]?.tried == found[1]?.tried)
    }
}
