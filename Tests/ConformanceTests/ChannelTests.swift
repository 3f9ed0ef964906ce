import FeatureModel
import Foundation
import SignalProcessing
import TestSupport
import Testing

@testable import Conformance

struct ChannelTests {
    private let recording: SampleRecording
    private let expected: FeatureConfiguration
    private let features: [FeatureMatrix]
    private let rows: Int
    private let bins: Int

    init() throws {
        let recording = try SampleRecording(channels: 2)
        self.recording = recording
        expected = try SampleRecording.configuration(.logMel, [("audio.channels", .text("all"))])
        let single = try SampleRecording.configuration()
        features = try recording.channels.map { try recording.features(single, of: $0) }
        (rows, bins) = (features[0].rows, features[0].bins)
    }

    private var interleaved: [Float] { (0..<rows).flatMap { row in features.flatMap { Array($0[row: row]) } } }

    @Test func `rows, channels and bins are equal`() throws {
        let result = try recording.check(interleaved, shape: [rows, 2, bins], expected)
        #expect(result.isEqual && result.recordings[0].expectedShape == [rows, 2, bins])
    }

    @Test func `their mean, or one of them, is not, and is named`() throws {
        let mean = zip(recording.channels[0], recording.channels[1]).map { ($0 + $1) / 2 }
        let single = try SampleRecording.configuration()
        for (values, text) in [
            (try recording.features(single, of: mean), "mix"), (features[0], "first"), (features[1], "1"),
        ] {
            let result = try recording.check(values, expected)
            let found = try #require(result.outcome?.explanation)
            #expect(!result.isEqual && found.isComplete)
            #expect(found.variations.flatMap(\.assignments).map(\.text) == ["audio.channels=\(text)"])
        }
    }

    @Test func `a wrong channel differs, and other orders of the axes are recognised`() throws {
        let twice = (0..<rows).flatMap { row in Array(features[0][row: row]) + Array(features[0][row: row]) }
        let wrong = try recording.check(twice, shape: [rows, 2, bins], expected)
        #expect(!wrong.isEqual && !wrong.recordings[0].hasEqualValues)
        let first = try recording.check(features.flatMap(\.values), shape: [2, rows, bins], expected)
        #expect(!first.isEqual && first.recordings[0].hasEqualValues)
        #expect(first.recordings[0].layout?.steps == [.channelsFirst])
        let joined = try recording.check(interleaved, shape: [rows, 2 * bins], expected)
        #expect(!joined.isEqual && joined.recordings[0].layout?.steps == [.channelsJoined])
    }

    @Test func `all channels where one is expected`() throws {
        let result = try recording.check(
            interleaved, shape: [rows, 2, bins], SampleRecording.configuration(.logMel))
        let found = try #require(result.outcome?.explanation)
        #expect(!result.isEqual && found.isComplete)
        #expect(found.variations.flatMap(\.assignments).map(\.text) == ["audio.channels=all"])
    }
}
