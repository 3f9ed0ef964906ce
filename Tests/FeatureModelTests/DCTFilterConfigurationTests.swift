import FeatureModel
import Foundation
import Testing

struct DCTFilterConfigurationTests {
    private func read(_ json: String) throws -> DCTFilterConfiguration {
        let whole = try configuration(#"{"audio": {"sample_rate": null}, "condition": {"dct_filter": \#(json)}}"#)
        return try #require(whole.condition.dctFilter)
    }

    private func written(_ filter: DCTFilterConfiguration) throws -> String {
        let whole = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil), condition: ConditionConfiguration(dctFilter: filter),
            frame: FrameConfiguration(), transform: .fft(bins: nil), scale: ScaleConfiguration())
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(whole.value["condition"]?["dct_filter"]), as: UTF8.self)
        return text
    }

    private func band(
        _ low: FrequencyEdge, _ high: FrequencyEdge, _ pages: DCTFilterPages = .overlapping
    ) throws -> DCTFilterConfiguration {
        try DCTFilterConfiguration(mode: .bandPass, low: low, high: high, pages: pages)
    }

    @Test func `a section is read and written again`() throws {
        let filter = try read(#"{"mode": "band_stop", "low": "300 Hz", "high": "3.4 kHz", "pages": "overlapping"}"#)
        #expect(filter.mode == .bandStop && filter.low == .hertz(300) && filter.high == .hertz(3400))
        #expect(filter.pages == .overlapping)
        let text = try written(filter)
        #expect(text == #"{"high":"3400 Hz","low":"300 Hz","mode":"band_stop","pages":"overlapping"}"#)
        #expect(try read(text) == filter)
        #expect(try read(#"{"mode": "band_pass", "low": 0, "high": 3400.5}"#) == band(.hertz(0), .hertz(3400.5)))
        #expect(try read(#"{"mode": "band_pass", "low": "20 bins", "high": "4000"}"#) == band(.bin(20), .hertz(4000)))
    }

    @Test func `a filter that does not say what its pages are has overlapping ones`() throws {
        for pages in ["", #", "pages": null"#, #", "pages": "overlapping""#] {
            let filter = try read(#"{"mode": "band_pass", "low": 300, "high": 3400\#(pages)}"#)
            #expect(filter == (try band(.hertz(300), .hertz(3400), .overlapping)))
            #expect(filter != (try band(.hertz(300), .hertz(3400), .separate)))
        }
        #expect(try DCTFilterConfiguration(mode: .bandPass, low: .bin(1), high: .bin(2)).pages == .overlapping)
    }

    @Test(arguments: [
        (
            #"{"mode": "band_pass", "low": 1, "high": 2, "pages": "double"}"#,
            ["condition.dct_filter.pages", "overlapping, separate", "'double'"]
        ),
        (#"{"mode": "low_pass", "low": 1, "high": 2}"#, ["condition.dct_filter.mode", "band_stop", "'low_pass'"]),
        (#"{"low": 1, "high": 2}"#, ["condition.dct_filter.mode", "band_pass", "nothing"]),
        (#"{"mode": "band_pass", "high": 2}"#, ["condition.dct_filter.low", "20 bins", "nothing"]),
        (#"{"mode": "band_pass", "low": 1, "high": null}"#, ["condition.dct_filter.high", "20 bins"]),
        (#"{"mode": "band_pass", "low": "3 mHz", "high": 2}"#, ["condition.dct_filter.low", "kHz", "'3 mHz'"]),
        (#"{"mode": "band_pass", "low": -3, "high": 2}"#, ["condition.dct_filter.low", "kHz", "-3"]),
        (#"{"mode": "band_pass", "low": true, "high": 2}"#, ["condition.dct_filter.low", "kHz", "true"]),
        (#"{"mode": "band_pass", "low": 3, "high": 2}"#, ["condition.dct_filter.low", "3 Hz", "2 Hz"]),
        (#"{"mode": "band_pass", "low": 2, "high": 2}"#, ["condition.dct_filter.low", "less than"]),
        (#"{"mode": "band_pass", "low": 2, "high": "1025 bins"}"#, ["condition.dct_filter.high", "1024", "1025"]),
        (#"{"mode": "band_pass", "lo": 2, "high": 3}"#, ["condition.dct_filter.lo", "condition.dct_filter.low"]),
        (#"300"#, ["condition.dct_filter", "mode, low, high"]),
    ])
    func `errors name the key, what was expected and what was found`(json: String, words: [String]) {
        let error = #expect(throws: ConfigurationError.self) { _ = try read(json) }
        for word in words {
            #expect(error?.description.contains(word) == true, "\(word): \(String(describing: error))")
        }
    }

    @Test func `edges become bins at a rate, and are checked against it`() throws {
        #expect(try band(.hertz(300), .hertz(3400)).bins(at: 44_100) == 14...158)
        #expect(try band(.hertz(0), .hertz(4000)).bins(at: 8000) == 0...1024)
        #expect(try band(.bin(20), .bin(1024)).bins(at: 8000) == 20...1024)
        // 50 and 51 Hz lie nearest to the same bin.
        #expect(try band(.hertz(50), .hertz(51)).bins(at: 44_100) == 2...2)
        let high = #expect(throws: ConfigurationError.self) { try band(.hertz(300), .hertz(4001)).bins(at: 8000) }
        #expect(
            high
                == .invalidValue(
                    key: "condition.dct_filter.high", found: "4001 Hz",
                    expected: "at most half the sample rate, 4000 Hz"))
        let mixed = try band(.bin(512), .hertz(2500))
        #expect(try mixed.bins(at: 8000) == 512...640)
        let low = #expect(throws: ConfigurationError.self) { try mixed.bins(at: 16_000) }
        #expect(low?.description.contains("condition.dct_filter.low: expected less than") == true)
    }

    @Test func `edges in bins and Hz that are one frequency at a rate are refused at that rate alone`() throws {
        // Bin 512 is a quarter of the rate.
        for (low, high, accepted) in [
            (.bin(512), .hertz(2000), 7996), (.hertz(2000), .bin(512), 8004), (.bin(0), .hertz(0), nil),
            (.hertz(4000), .bin(1024), 8002),
        ] as [(FrequencyEdge, FrequencyEdge, Double?)] {
            let edges = try band(low, high)
            let error = #expect(throws: ConfigurationError.self) { try edges.bins(at: 8000) }
            #expect(
                error
                    == .notBelow(
                        key: "condition.dct_filter.low", found: "\(low)", upperKey: "condition.dct_filter.high",
                        upper: "\(high)"))
            // Both edges may lie in one bin, as long as the lower one is lower.
            if let accepted { #expect(try edges.bins(at: accepted).count == 1, "\(low), \(high)") }
        }
    }
}

struct FrequencyEdgeTests {
    @Test(
        arguments: [
            ("300", .hertz(300)), ("300 Hz", .hertz(300)), ("300hz", .hertz(300)), (" 0.5 HZ ", .hertz(0.5)),
            ("3.4 kHz", .hertz(3400)), ("0.3kHz", .hertz(300)), ("1e3", .hertz(1000)), ("1e1 kHz", .hertz(10_000)),
            ("20 bins", .bin(20)), ("1 bin", .bin(1)), ("0bins", .bin(0)), ("0", .hertz(0)),
        ] as [(String, FrequencyEdge)])
    func `texts are read in Hz, kHz and bins`(text: String, edge: FrequencyEdge) {
        #expect(FrequencyEdge(text: text) == edge)
        #expect(FrequencyEdge(text: edge.description) == edge)
    }

    @Test(arguments: [
        "", " ", "Hz", "-1", "-1 Hz", "1.5 bins", "-2 bins", "inf", "nan Hz", "1e999 Hz", "1e308 kHz", "0x10",
        "3,4 kHz",
        "300 400", "300 Hz Hz", "3 MHz", "twenty bins", "99999999999999999999 bins",
    ])
    func `other texts are not edges`(text: String) {
        #expect(FrequencyEdge(text: text) == nil)
    }

    @Test func `a bare number takes the unit that is asked for`() {
        #expect(FrequencyEdge(text: "20", unit: .bins) == .bin(20))
        #expect(FrequencyEdge(text: "0.3", unit: .kilohertz) == .hertz(300))
        #expect(FrequencyEdge(text: "20 Hz", unit: .bins) == .hertz(20))
        #expect(FrequencyEdge.unit(of: "3.4 kHz") == .kilohertz && FrequencyEdge.unit(of: "3 Bins ") == .bins)
        #expect(FrequencyEdge.unit(of: "300") == nil && FrequencyEdge.unit(of: "") == nil)
    }

    @Test func `every multiple of 100 Hz reads the same in kHz`() {
        for hundreds in 0...1000 {
            #expect(FrequencyEdge(text: "\(hundreds / 10).\(hundreds % 10) kHz") == .hertz(Double(hundreds * 100)))
        }
    }
}
