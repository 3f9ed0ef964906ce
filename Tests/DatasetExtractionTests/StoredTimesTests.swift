import FeatureModel
import Foundation
import Messages
import Testing

@testable import DatasetExtraction

@Suite("Runs and files from before times had several roundings")
struct StoredTimesTests {
    private func configuration(
        _ preset: Preset, at rate: Int?, rounding: TimeRounding? = nil, align: FrameAlignment? = nil
    ) throws -> String {
        let own = try preset.definition()
        let frame = try FrameConfiguration(
            rounding: rounding ?? own.frame.rounding, window: own.frame.window, symmetric: true,
            align: align ?? own.frame.align, removeDC: true, preEmphasis: 0.97)
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: rate), frame: frame, transform: .fft(bins: nil), scale: own.scale)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(configuration), as: UTF8.self)
    }

    private func identity(_ configuration: String, at rate: Int) throws -> Provenance {
        let fields: [String: Any] = [
            "configuration": configuration, "manifest": "0", "clips": 1, "sampleRate": Double(rate), "software": "{}",
        ]
        let json = try JSONSerialization.data(withJSONObject: fields)
        return try #require(Provenance(json: String(decoding: json, as: UTF8.self)))
    }

    @Test(
        "an interrupted run of the former rounding is not resumed, and what is different is named",
        arguments: [true, false])
    func refused(isRateSet: Bool) throws {
        for (rate, words) in [
            (22_050, ["frame.hop was 221 and is 220 now"]), (11_025, ["frame.length was 276 and is 275 now"]),
            (44_100, ["frame.length was 1103 and is 1102 now"]), (16_000, []), (48_000, []),
        ] {
            let before = try configuration(.kaldiFBank, at: isRateSet ? rate : nil, rounding: .nearest)
            #expect(!before.contains("rounding"), "as version 0.1 stored it")
            let now = try identity(configuration(.kaldiFBank, at: isRateSet ? rate : nil), at: rate)
            #expect(
                try now.differences(from: identity(before, at: rate), tolerance: .spool).map(\.description) == words,
                "\(rate)")
            #expect(now.differences(inSettingsOf: before).map(\.description) == words, "\(rate)")
        }
    }

    @Test("times stored beside a rate, as version 0.1 did, were rounded to the nearest")
    func storedTimes() throws {
        func stored(_ hop: String) -> String {
            #"{"audio":{"sample_rate":22050},"frame":{"length":"25 ms","hop":\#(hop)}}"#
        }
        let now = try identity(stored("221"), at: 22_050)
        #expect(now.differences(inSettingsOf: stored(#""10 ms""#)).map(\.description) == [])
    }

    @Test("lhotse's frames are those of before but where they lie elsewhere")
    func alignment() throws {
        for (rate, words) in [
            (16_000, []), (22_050, ["frame.hop was 221 and is 220 now"]),
            (44_100, ["frame.align was kaldi and is lhotse now", "frame.length was 1103 and is 1102 now"]),
        ] {
            let before = try configuration(.lhotseFBank, at: nil, rounding: .nearest, align: .kaldi)
            let now = try identity(configuration(.lhotseFBank, at: nil), at: rate)
            #expect(now.differences(inSettingsOf: before).map(\.description) == words, "\(rate)")
        }
    }
}
