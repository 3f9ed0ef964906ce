import FeatureModel
import Foundation
import Testing

@testable import FeaturePipeline

@Suite("Files of version 0.1 with a DCT filter")
struct StoredPagesTests {
    private func configuration(_ pages: DCTFilterPages) throws -> String {
        let base = try Preset.logMel.configuration()
        let filter = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3400), pages: pages)
        let configuration = try FeatureConfiguration(
            audio: base.audio, condition: ConditionConfiguration(dctFilter: filter), frame: base.frame,
            transform: base.transform, scale: base.scale)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(configuration), as: UTF8.self)
    }

    /// As version 0.1 stored it.
    private func older() throws -> String {
        let text = try configuration(.separate)
        let key = #","pages":"separate""#
        try #require(text.contains(key))
        return text.replacing(key, with: "")
    }

    private func identity(_ configuration: String) throws -> RunIdentity {
        let fields: [String: Any] = [
            "configuration": configuration, "manifest": "0", "clips": 1, "sampleRate": 16_000.0, "software": "{}",
        ]
        let json = try JSONSerialization.data(withJSONObject: fields)
        return try #require(RunIdentity(json: String(decoding: json, as: UTF8.self)))
    }

    @Test("neither an interrupted run nor an append mixes their clips with those of overlapping pages")
    func refused() throws {
        let words = ["condition.dct_filter.pages was separate and is overlapping now"]
        let now = try identity(configuration(.overlapping))
        #expect(try now.differences(inSettingsOf: older()) == words)
        #expect(try now.differences(from: identity(older())) == words)
        #expect(try now.differences(inSettingsOf: configuration(.separate)) == words)
    }

    @Test("separate pages go on where they left off")
    func accepted() throws {
        let now = try identity(configuration(.separate))
        #expect(try now.differences(inSettingsOf: older()) == [])
        #expect(try now.differences(from: identity(older())) == [])
    }
}
