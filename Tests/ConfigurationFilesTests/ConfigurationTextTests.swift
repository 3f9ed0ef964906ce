import ConfigurationFiles
import FeatureModel
import Foundation
import Testing

struct ConfigurationTextTests {
    @Test func `a section is a line, in the order of the steps and with its keys in that of their table`() throws {
        let lines = try ConfigurationText.yaml(Preset.whisper.configuration()).split(separator: "\n")
        #expect(
            lines.map { $0.prefix { $0 != ":" } } == [
                "version", "audio", "condition", "frame", "transform", "scale", "normalize", "rows", "patches", "store",
            ])
        #expect(lines.first == "version: 1")
        #expect(lines[2].hasPrefix("condition: {remove_dc: false, gain: none, dct_filter: null, pre_emphasis: 0"))
        #expect(lines[5].hasPrefix("scale:     {kind: log10, floor: 1.0e-10, reference: 1, top_db: 80, "))
        #expect(lines.last == "store:     {layout: packed, type: float32, compression: none}")
    }

    private func readBack(_ configuration: FeatureConfiguration) throws -> FeatureConfiguration {
        try ConfigurationSource(text: ConfigurationText.yaml(configuration), path: "-").configuration()
    }

    @Test(arguments: Preset.allCases)
    func `every preset that is printed reads back equal`(preset: Preset) throws {
        let configuration = try preset.configuration()
        #expect(try readBack(configuration) == configuration)
        let json = try ConfigurationText.json(configuration)
        #expect(try ConfigurationSource(text: json, path: "-").configuration() == configuration)
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8)) == configuration)
        #expect(!json.contains("\n") && !json.contains(": ") && !json.contains(", "))
    }

    @Test func `a mapping within a section is printed within it`() throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 16_000),
            condition: ConditionConfiguration(
                dctFilter: DCTFilterConfiguration(mode: .bandStop, low: .hertz(49.5), high: .bin(9))),
            frame: FrameConfiguration(window: .kaiser(beta: 14)), transform: .fft(bins: nil),
            scale: ScaleConfiguration())
        let text = try ConfigurationText.yaml(configuration)
        #expect(KindsOfConfiguration.all.count > 70)
        #expect(text.contains(", window: {kind: kaiser, beta: 14}, symmetric: false,"), "\(text)")
        #expect(
            text.contains(
                #", dct_filter: {mode: band_stop, low: "49.5 Hz", high: "9 bins", pages: overlapping}, pre_emphasis"#),
            "\(text)")
        #expect(try readBack(configuration) == configuration)
    }

    @Test(arguments: KindsOfConfiguration.all)
    func `every kind of every section reads back equal, as YAML and as JSON`(configuration: FeatureConfiguration) throws
    {
        #expect(try readBack(configuration) == configuration)
        let json = try ConfigurationText.json(configuration)
        #expect(try ConfigurationSource(text: json, path: "-").configuration() == configuration)
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8)) == configuration)
        // Written again, it is the same text.
        #expect(try ConfigurationText.json(readBack(configuration)) == json)
    }

    @Test(arguments: [1e-10, 1.1754943508222875e-38, 3.4028234663852886e38, 0.125, 1e22, 123_456_789.125, 1e15, 5e-7])
    func `numbers of every size read back equal`(number: Double) throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(length: .seconds(1.0 / 3), fftLength: nil),
            transform: .mel(MelConfiguration(low: 0.125, high: 7999.9)),
            scale: ScaleConfiguration(floor: number, reference: number))
        #expect(try readBack(configuration) == configuration)
        // PyYAML takes 1e-10 for a text: a number needs a point before its exponent.
        let text = try ConfigurationText.yaml(configuration)
        #expect(text.range(of: "[^.0-9][0-9]+e", options: .regularExpression) == nil, "\(text)")
    }

    @Test(arguments: [
        "train", "a b", "", "1", "1.0", "null", "~", "true", "no", "1e3", "a, b", "a: b", "{x}", "#1", "a #b",
        "'q'",
        "say \"hi\"", "back\\slash", "line\nbreak", "ünï", "2024-01-01", "*a", "&a", "-", "? x", "@", "%", "!t",
    ])
    func `names of splits of any form read back equal`(name: String) throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(), frame: FrameConfiguration(), transform: .fft(bins: nil),
            scale: ScaleConfiguration(), normalize: NormalizeConfiguration(fit: name))
        #expect(try readBack(configuration) == configuration)
    }
}
