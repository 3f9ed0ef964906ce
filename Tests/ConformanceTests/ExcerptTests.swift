import ArrayFiles
import AudioDecoding
import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

struct ExcerptTests {
    private let samples: [Float]
    private let folder: TemporaryFolder

    init() throws {
        let short = try SampleRecording(seconds: 1.7).samples
        var random = RandomSource(seed: 5)
        // Louder and softer repetitions, of which one is the loudest.
        samples = (0..<70).flatMap { number -> [Float] in
            let gain = number == 33 ? Float(1) : Float.random(in: 0.1...0.7, using: &random)
            return short.map { gain * $0 }
        }.map { ($0 * 32_768).rounded() / 32_768 }
        folder = try TemporaryFolder()
        try folder.writeWave([samples], sampleRate: SampleRecording.rate, to: "long.wav")
    }

    private func features(_ configuration: FeatureConfiguration) throws -> FeatureMatrix {
        try ExpectedFeatures.rows(of: samples, FeaturePlan(configuration, sampleRate: 16_000))
    }

    private func signals(_ configuration: FeatureConfiguration) throws -> RecordingSignals {
        let path = folder.path("long.wav")
        return try RecordingSignals(
            Clip(index: 0, id: path, path: path), path: path, audio: configuration.audio, policy: RecordingPolicy())
    }

    private func outcome(
        _ given: FeatureMatrix, _ configuration: FeatureConfiguration
    ) throws -> SearchOutcome {
        let layout = try #require(
            ArrayLayout.candidates(
                NumericArray(shape: [given.rows, given.bins], values: given.values), rows: given.rows,
                bins: given.bins
            ).first)
        return try ConformanceSearch.explanation(
            configuration, signals(configuration), Target(layout, tolerance: 5e-5), jobs: 2)
    }

    @Test(arguments: [Preset.kaldiFBank, .whisper, .logMel, .parakeet, .librosaLogMel], [0, 5000, 11_800])
    func `the rows of an excerpt are those of the whole, wherever it lies`(preset: Preset, row: Int) throws {
        let configuration = try SampleRecording.configuration(preset, [("audio.sample_rate", .whole(16_000))])
        let whole = try features(configuration)
        let around = min(row, whole.rows - 1)
        let excerpt = try #require(Excerpt(around: around, of: whole, samples: samples.count))
        #expect(excerpt.rows.contains(around) && excerpt.rows.count < whole.rows / 3)
        let plan = try FeaturePlan(configuration, sampleRate: 16_000)
        let part = try #require(try excerpt.features([samples], plan))
        let first = excerpt.rows.lowerBound - part.lead
        #expect(part.rows == whole.rows && part.matrix.rows >= excerpt.rows.count)
        for index in 0..<part.matrix.rows {
            try #require(part.matrix[row: index] == whole[row: first + index], "row \(first + index)")
        }
    }

    @Test func `two details are found and confirmed by all rows`() throws {
        let configuration = try SampleRecording.configuration(.kaldiFBank)
        let changes: [(String, ConfigurationValue)] = [
            ("frame.window", .text("hamming")), ("transform.high", .whole(7600)),
        ]
        let given = try features(SampleRecording.configuration(.kaldiFBank, changes))
        let outcome = try outcome(given, configuration)
        let found = try #require(outcome.explanation)
        let keys = Set(found.variations.flatMap { $0.effective(on: configuration) }.map(\.key))
        #expect(found.isComplete && keys == ["frame.window", "transform.high"])
        #expect(found.difference.count == given.values.count)
    }

    @Test func `rows far from the loudest one that are wrong are seen, and not explained`() throws {
        let configuration = try SampleRecording.configuration(.kaldiFBank)
        let right = try features(configuration)
        var values = right.values
        for row in 1000..<1100 { values.replaceSubrange((row * 23)..<(row * 23 + 23), with: right[row: 999]) }
        let found = try #require(
            try outcome(FeatureMatrix(bins: 23, values: values), configuration).explanation)
        #expect(!found.isComplete && found.random == nil && found.difference.maximum > 0.01)
    }

    @Test func `a search without work for all says so; the usual work is enough for a minute of any configuration`()
        throws
    {
        let recording = try SampleRecording()
        let configuration = try SampleRecording.configuration()
        let given = try recording.features(SampleRecording.configuration(.logMel, [("frame.window", .text("hamming"))]))
        let layout = try #require(
            ArrayLayout.candidates(
                NumericArray(shape: [given.rows, given.bins], values: given.values), rows: given.rows,
                bins: given.bins
            ).first)
        let signals = try RecordingSignals(
            Clip(index: 0, id: "a", path: recording.path), path: recording.path, audio: configuration.audio,
            policy: RecordingPolicy())
        for (work, isCut) in [(400_000, true), (ConformanceSearch.usualWork, false)] {
            var search = ConformanceSearch(
                configuration, signals, Target(layout, tolerance: 5e-5), jobs: 1, work: work)
            let outcome = try search.run()
            #expect(outcome.isCut == isCut && (outcome.tried < 20) == isCut)
        }
        #expect(ConformanceSearch.usualWork >= 200 * 60 * 16_000)
    }
}
