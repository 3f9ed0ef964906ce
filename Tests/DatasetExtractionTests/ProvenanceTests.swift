import FeatureModel
import Foundation
import Messages
import Testing

@testable import DatasetExtraction

struct ProvenanceTests {
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

    private func identity(_ configuration: String) throws -> Provenance {
        let fields: [String: Any] = [
            "configuration": configuration, "manifest": "0", "clips": 1, "sampleRate": 16_000.0, "software": "{}",
        ]
        let json = try JSONSerialization.data(withJSONObject: fields)
        return try #require(Provenance(json: String(decoding: json, as: UTF8.self)))
    }

    @Test(arguments: [1e300, -1e300, 8000.5, 0, 9_007_199_254_740_994])
    func `a spool's sample rate may be any number`(rate: Double) throws {
        func identity(_ rate: Double) throws -> Provenance {
            let json = #"{"configuration":"{}","manifest":"0","clips":1,"sampleRate":\#(rate),"software":"{}"}"#
            return try #require(Provenance(json: json))
        }
        let (usual, other) = (try identity(16_000), try identity(rate))
        #expect(usual.differences(from: other, tolerance: .spool).count == 1)
        #expect(other.differences(from: usual, tolerance: .spool) == [.sampleRate(before: 16_000, now: rate)])
    }

    @Test func `a description without a rate is refused`() {
        #expect(Provenance(json: #"{"configuration":"{}","manifest":"0","clips":1,"software":"{}"}"#) == nil)
    }

    @Test func `the keys that are applied late are keys of the configuration`() {
        let sections = ConfigurationKeys.sections
        let keys = Set(
            sections.flatMap { section in section.variants.flatMap(\.keys).map { "\(section.path).\($0.name)" } })
        #expect(sections.contains { $0.path == Provenance.lateSection })
        for key in Provenance.lateKeys { #expect(keys.contains(key), "\(key)") }
    }

    @Test(arguments: [
        (#""scope":"clip","method":"mean""#, #""scope":"clip","method":"zscore""#, "", [String]()),
        (#""scope":"none""#, #""scope":"dataset","fit":"""#, "", []),
        // Another precision, and what comes before rows are resized.
        (#""scope":"none""#, #""scope":"clip""#, "", ["normalize.scope"]),
        (#""scope":"clip""#, #""scope":"dataset""#, "", ["normalize.scope"]),
        (
            #""scope":"clip","method":"mean""#, #""scope":"clip","method":"zscore""#, #","rows":{"resize":0.5}"#,
            ["normalize.method"]
        ),
        (
            #""scope":"clip","minimum":0"#, #""scope":"clip","minimum":1"#, #","rows":{"resize_bins":9}"#,
            ["normalize.minimum"]
        ),
        (
            #""scope":"constant","mean":0,"std":1"#, #""scope":"constant","mean":0,"std":2"#,
            #","rows":{"resize":0.5}"#, []
        ),
    ])
    func `normalisation is applied late, unless it changes what the spool holds`(
        before: String, now: String, rest: String, keys: [String]
    ) throws {
        let (before, now) = (
            try identity("{\"normalize\":{\(before)}\(rest)}"), try identity("{\"normalize\":{\(now)}\(rest)}")
        )
        let found = now.differences(from: before, tolerance: .spool).map { difference in
            if case .setting(let key, before: _, now: _) = difference { key } else { "\(difference)" }
        }
        #expect(found == keys)
    }

    @Test func `a setting within a section of a section is compared and named`() throws {
        let differences = [
            Difference.setting("condition.dct_filter.pages", before: "separate", now: "overlapping")
        ]
        let (before, now) = (try configuration(.separate), try identity(configuration(.overlapping)))
        #expect(now.differences(inSettingsOf: before) == differences)
        #expect(try now.differences(from: identity(before), tolerance: .spool) == differences)
        #expect(try identity(before).differences(inSettingsOf: before).isEmpty)
    }
}
