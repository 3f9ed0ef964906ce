import FeatureModel
import SignalProcessing
import Testing

@testable import Conformance

struct FrameShiftTests {
    /// The features of frames that start some samples late.
    private func features(_ recording: SampleRecording, _ configuration: FeatureConfiguration, late shift: Int) throws
        -> FeatureMatrix
    {
        let rate = Double(SampleRecording.rate)
        let plan = try FeaturePlan(configuration, sampleRate: rate, frameShift: shift)
        return try ExpectedFeatures.rows(of: recording.samples, plan)
    }

    @Test(
        arguments: [Preset.logMel, .kaldiFBank, .parakeet, .icefall, .whisper],
        [(1, "1 sample late"), (-1, "1 sample early"), (2, "2 samples late"), (-4, "4 samples early")])
    func `frames that start off are named`(preset: Preset, shift: (samples: Int, words: String)) throws {
        let recording = try SampleRecording()
        let expected = try SampleRecording.configuration(preset)
        let given = try features(recording, expected, late: shift.samples)
        let result = try recording.check(given, expected)
        let found = try #require(result.outcome?.explanation)
        #expect(found.isComplete && found.fit.model == .exact && found.fit.rows.isComplete)
        #expect(found.variations.flatMap(\.assignments).isEmpty)
        #expect(found.variations.compactMap(\.note).map { $0.contains("start \(shift.words)") } == [true])
        #expect(!result.isEqual && result.outcome?.isCut != true)
    }

    @Test func `late frames are frames of a signal without its first samples`() throws {
        let recording = try SampleRecording()
        let expected = try SampleRecording.configuration(.logMel)
        let late = try features(recording, expected, late: 3)
        let cut = try recording.features(expected, of: Array(recording.samples.dropFirst(3)))
        #expect(late == cut)
        let early = try features(recording, expected, late: -3)
        let led = try recording.features(expected, of: [0, 0, 0] + recording.samples)
        #expect(early == led)
    }
}
