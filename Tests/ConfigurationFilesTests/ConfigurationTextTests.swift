import ConfigurationFiles
import FeatureModel
import Foundation
import Testing

@Suite("ConfigurationText")
struct ConfigurationTextTests {
    @Test("log-mel is printed as the contract shows it")
    func logMel() throws {
        let expected = """
            version: 1
            audio:     {sample_rate: 16000, channels: mix, scale: unit, duration: null, fit: null, crop: start, \
            minimum: null, multiple: 1, overshoot: null}
            condition: {remove_dc: false, gain: none, dct_filter: null, pre_emphasis: 0}
            frame:     {length: 400, hop: 160, rounding: nearest, fft_length: 512, window: hann, symmetric: false, \
            align: start, pad: reflect, drop_last: false, remove_dc: false, pre_emphasis: 0, lookahead: 0}
            transform: {kind: mel, bins: 80, low: 0, high: 8000, mel_scale: slaney, mel_norm: slaney, triangles: hertz, \
            spectrum: power, order: ascending, deltas: 0, delta_window: 2}
            scale:     {kind: ln, floor: 1.0e-10, reference: 1, top_db: null, offset: 0, factor: 1, limit: null, \
            guard: max, exponent: 1}
            normalize: {scope: dataset, method: zscore, axis: bin, fit: train, ddof: 0, epsilon: 0, epsilon_in: std, \
            mean: null, std: null}
            rows:      {count: null, multiple: 1, fill: 0, fill_order: after}
            patches:   {length: null, hop: null, rest: drop, stacked: false}
            store:     {layout: packed, type: float32, compression: none}

            """
        #expect(try ConfigurationText.yaml(Preset.logMel.configuration()) == expected)
    }

    private func readBack(_ configuration: FeatureConfiguration) throws -> FeatureConfiguration {
        try ConfigurationSource(text: ConfigurationText.yaml(configuration), path: "-").configuration()
    }

    @Test("every preset that is printed reads back equal", arguments: Preset.allCases)
    func presets(preset: Preset) throws {
        let configuration = try preset.configuration()
        #expect(try readBack(configuration) == configuration)
        let json = try ConfigurationText.json(configuration)
        #expect(try ConfigurationSource(text: json, path: "-").configuration() == configuration)
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8)) == configuration)
        #expect(!json.contains("\n") && !json.contains(": ") && !json.contains(", "))
    }

    @Test("a mapping within a section is printed within it")
    func nested() throws {
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

    @Test("every kind of every section reads back equal, as YAML and as JSON", arguments: KindsOfConfiguration.all)
    func kinds(configuration: FeatureConfiguration) throws {
        #expect(try readBack(configuration) == configuration)
        let json = try ConfigurationText.json(configuration)
        #expect(try ConfigurationSource(text: json, path: "-").configuration() == configuration)
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: Data(json.utf8)) == configuration)
        // Written again, it is the same text.
        #expect(try ConfigurationText.json(readBack(configuration)) == json)
    }

    @Test(
        "numbers of every size read back equal",
        arguments: [1e-10, 1.1754943508222875e-38, 3.4028234663852886e38, 0.125, 1e22, 123_456_789.125, 1e15, 5e-7])
    func numbers(number: Double) throws {
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

    @Test(
        "names of splits of any form read back equal",
        arguments: [
            "train", "a b", "", "1", "1.0", "null", "~", "true", "no", "1e3", "a, b", "a: b", "{x}", "#1", "a #b",
            "'q'",
            "say \"hi\"", "back\\slash", "line\nbreak", "ünï", "2024-01-01", "*a", "&a", "-", "? x", "@", "%", "!t",
        ])
    func names(name: String) throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(), frame: FrameConfiguration(), transform: .fft(bins: nil),
            scale: ScaleConfiguration(), normalize: NormalizeConfiguration(fit: name))
        #expect(try readBack(configuration) == configuration)
    }
}
