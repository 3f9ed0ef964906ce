import ConfigurationFiles
import FeatureModel
import TestSupport
import Testing

struct ExtendedPresetTests {
    private func text(_ text: String, _ assignments: String...) throws -> FeatureConfiguration {
        var source = try ConfigurationSource(text: text, path: "my.yaml")
        for assignment in assignments { try source.set(assignment) }
        return try source.configuration()
    }

    private func preset(_ preset: Preset, _ assignments: String...) throws -> FeatureConfiguration {
        var source = ConfigurationSource(preset: preset)
        for assignment in assignments { try source.set(assignment) }
        return try source.configuration()
    }

    @Test(arguments: Preset.allCases)
    func `with nothing else it is the preset`(preset: Preset) throws {
        #expect(try text("extends: \(preset.rawValue)\n") == preset.configuration())
        #expect(try text(#"{"extends": "\#(preset.rawValue)", "frame": {}, "audio": null}"#) == preset.configuration())
        #expect(try ConfigurationSource(text: "extends: \(preset.rawValue)", path: "-").preset == preset)
    }

    @Test func `its keys are set as --set would, with extends anywhere in the file`() throws {
        let expected = try preset(.kaldiFBank, "audio.sample_rate=8000", "transform.bins=40", "frame.window=hamming")
        #expect(expected.frame.length == .samples(200) && expected.frame.preEmphasis == 0.97)
        let keys = "audio: {sample_rate: 8 kHz}\nframe:\n  window: hamming\ntransform: {bins: 40}\n"
        #expect(try text("extends: kaldi-fbank\n" + keys) == expected)
        #expect(try text(keys + "extends: kaldi-fbank\n") == expected)
        #expect(
            try text(
                "extends: kaldi-fbank\naudio: {sample_rate: 8000}\n" + "", "transform.bins=40", "frame.window=hamming")
                == expected)
        let whole = try text(
            "extends: log-mel\ncondition: {dct_filter: {mode: band_pass, low: 300, high: 3.4k}}\nframe: {window: {kind: kaiser, beta: 8}}"
        )
        #expect(whole.frame.window == .kaiser(beta: 8) && whole.condition.dctFilter?.high == .hertz(3400))
    }

    @Test func `another kind keeps the settings that both have, and the keys given with it are set after it`() throws {
        #expect(try text("extends: kaldi-mfcc\ntransform: {kind: mel}") == preset(.kaldiFBank))
        #expect(
            try text("extends: kaldi-mfcc\ntransform: {bins: 30, kind: mel}")
                == preset(.kaldiFBank, "transform.bins=30"))
        #expect(try text("extends: musical-spectrum\ntransform: {kind: fft}").transform == .fft(bins: 2048))
        let scale = try text("extends: log-mel\nscale: {gain: 0.5, kind: pcen}").scale
        #expect(scale.pcen?.gain == 0.5)
    }

    @Test func `null extends nothing, and the defaults are log-mel's`() throws {
        #expect(try text("extends: null\nframe: {hop: 80}") == text("frame: {hop: 80}"))
        #expect(try text("extends:\n") == text("{}"))
    }

    @Test(arguments: [
        ("extends: kaldi-fbnk", "(did you mean 'kaldi-fbank'?)"),
        ("extends: nothing-like-it-at-all", "'nothing-like-it-at-all';"),
        ("extends: [log-mel]", "found something else"), ("extends: other.yaml", "there are: log-mel, "),
        ("extends: 3", "'3'"),
    ])
    func `an unknown preset is refused with the nearest name and all names`(text: String, words: String) throws {
        #expect {
            try self.text(text)
        } throws: { error in
            "\(error)".hasPrefix("my.yaml: extends: expected the name of a preset, found ")
                && "\(error)".contains(words)
        }
    }

    @Test func `mistakes below it are the file's`() throws {
        for (text, words) in [
            ("extends: log-mel\nframe: {hopp: 1}", "frame.hop"), ("extends: log-mel\nframes: {hop: 1}", "'frame'"),
            ("extends: log-mel\nframe: 5", "a mapping with the keys length"),
            ("extends: log-mel\nframe: {hop: 0}", "frame.hop"),
            ("extends: log-mel\ntransform: {kind: wavelet}", "'wavelet'"), ("[extends, log-mel]", "a mapping"),
        ] {
            #expect {
                try self.text(text)
            } throws: { error in
                "\(error)".hasPrefix("my.yaml: ") && "\(error)".contains(words)
            }
        }
        // It is not a setting: --set cannot start from another preset.
        #expect(throws: ConfigurationError.self) { try preset(.logMel, "extends=whisper") }
    }
}
