import ConfigurationFiles
import FeatureModel
import Foundation
import TestSupport
import Testing

struct ConfigurationSourceTests {
    private func preset(_ preset: Preset = .logMel, _ assignments: String...) throws -> FeatureConfiguration {
        var source = ConfigurationSource(preset: preset)
        for assignment in assignments { try source.set(assignment) }
        return try source.configuration()
    }

    private func text(_ text: String, _ assignments: String...) throws -> FeatureConfiguration {
        var source = try ConfigurationSource(text: text, path: "my.yaml")
        for assignment in assignments { try source.set(assignment) }
        return try source.configuration()
    }

    @Test(arguments: Preset.allCases)
    func `a preset by itself is the preset`(preset: Preset) throws {
        #expect(try self.preset(preset) == preset.configuration())
    }

    @Test func `an assignment changes one value and leaves the others`() throws {
        let changed = try preset(.logMel, "frame.hop=80")
        #expect(changed.frame.hop == .samples(80) && changed.frame.length == .samples(400))
        #expect(changed.transform == (try Preset.logMel.configuration()).transform)
        #expect(try preset(.logMel, "frame.hop=5 ms").frame.hop == .samples(80))
        #expect(try preset(.logMel, "audio.sample_rate=null", "frame.hop=5 ms").frame.hop == .seconds(0.005))
        #expect(try preset(.logMel, "frame.hop=80", "frame.hop=40").frame.hop == .samples(40))
        #expect(try preset(.logMel, "audio.sample_rate=null").audio.sampleRate == nil)
        #expect(try preset(.logMel, "frame.hop = 80").frame.hop == .samples(80))
        #expect(try preset(.logMel, "audio.channels=3").audio.channels == .number(3))
        #expect(try preset(.logMel, "scale.floor=1e-8").scale.floor == 1e-8)
        #expect(try preset(.logMel, "frame={length: 800, hop: 200}").frame.length == .samples(800))
    }

    @Test func `a value may hold an equals sign`() throws {
        #expect(try preset(.logMel, "normalize.fit=a=b").normalize.fit == "a=b")
    }

    @Test(arguments: ["", " ", " # none"])
    func `an empty value, as of a shell's variable that is not set, is refused`(text: String) throws {
        let assignment = "transform.bins=\(text)"
        #expect(throws: ConfigurationFileError.emptyAssignment(assignment)) { try preset(.kaldiFBank, assignment) }
        #expect(try preset(.logMel, "normalize.fit=''").normalize.fit == "")
        #expect(try preset(.logMel, "audio.sample_rate=null").audio.sampleRate == nil)
    }

    @Test func `another kind of transform drops the keys of the one before; the same kind keeps them`() throws {
        #expect(try preset(.logMel, "transform.kind=fft").transform == .fft(bins: nil))
        #expect(try preset(.logMel, "transform.kind=dct", "transform.bins=64").transform == .dct(bins: 64))
        #expect(
            try preset(.logMel, "transform.bins=40", "transform.kind=mel").transform
                == .mel(MelConfiguration(bins: 40, high: 8000)))
        #expect(try preset(.mixerFFT, "transform.kind=mel").transform == .mel(MelConfiguration()))
        // In a file without a kind, mel is what it says already.
        #expect(try text("transform: {bins: 40}", "transform.kind=mel").transform == .mel(MelConfiguration(bins: 40)))
    }

    @Test func `another kind of transform takes what the preset has for it, or that kind's defaults`() throws {
        #expect(try preset(.musicalSpectrum, "transform.kind=fft").transform == .fft(bins: 2048))
        #expect(try preset(.musicalSpectrum, "transform.kind=fft", "transform.bins=100").transform == .fft(bins: 100))
        #expect(try preset(.musicalSpectrum, "transform.kind=dct").transform == .dct(bins: nil))
        #expect(try preset(.musicalSpectrum, "transform.notes=12", "transform.kind=musical").transform.kind == .musical)
        #expect(try preset(.liveWaveform, "transform.kind=mel").transform == .mel(MelConfiguration()))
        // A transform of samples that are stored themselves needs other frames, too.
        let raw: Set<Preset> = [.wav2vec2, .moonshine, .encodec]
        for other in Preset.allCases where other != .musicalSpectrum && !raw.contains(other) {
            let found = try preset(other, "transform.kind=fft").transform
            let own = try other.configuration().transform
            #expect(found == (own.kind == .fft ? own : .fft(bins: nil)), "\(other.rawValue)")
        }
        #expect(try preset(.liveWaveform, "transform.step=8").shape(at: 44_100).bins == 25)
        #expect(try preset(.whisper, "transform.bins=128").shape(at: 16_000).bins == 128)
        #expect(try preset(.kaldiFBank, "frame.align=kaldi").frame.align == .kaldi)
    }

    @Test func `a window with a parameter is set as a mapping, or key by key`() throws {
        #expect(try preset(.logMel, "frame.window={kind: kaiser, beta: 8}").frame.window == .kaiser(beta: 8))
        #expect(try preset(.logMel, "frame.window={kind: hamming}").frame.window == .hamming)
        let byKey = try preset(.logMel, "frame.window.kind=kaiser", "frame.window.beta=8")
        #expect(byKey.frame.window == .kaiser(beta: 8))
        #expect(byKey.frame.hop == .samples(160))
        let other = try preset(.logMel, "frame.window={kind: kaiser, beta: 8}", "frame.window.kind=hann")
        #expect(other.frame.window == .hann)
        let third = try preset(
            .logMel, "frame.window={kind: kaiser, beta: 8}", "frame.window.kind=gaussian", "frame.window.sigma=60")
        #expect(third.frame.window == .gaussian(sigma: 60))
        let same = try preset(.logMel, "frame.window={kind: kaiser, beta: 8}", "frame.window.kind=kaiser")
        #expect(same.frame.window == .kaiser(beta: 8))
        for text in ["frame: {window: hamming}", "frame: {window: null}", "frame: null", "{}"] {
            let found = try self.text(text, "frame.window.kind=tukey", "frame.window.alpha=0.5")
            #expect(found.frame.window == .tukey(alpha: 0.5), "\(text)")
        }
    }

    @Test func `a filter is set as a mapping, or key by key from null`() throws {
        let expected = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3400))
        let whole = try preset(.logMel, "condition.dct_filter={mode: band_pass, low: 300 Hz, high: 3.4 kHz}")
        #expect(whole.condition.dctFilter == expected)
        let byKey = try preset(
            .logMel, "condition.dct_filter.mode=band_pass", "condition.dct_filter.low=300",
            "condition.dct_filter.high=3.4 kHz")
        #expect(byKey.condition == whole.condition)
        #expect(
            try preset(.logMel, "condition.dct_filter={mode: band_pass, low: 1, high: 2}", "condition.dct_filter=null")
                .condition.dctFilter == nil)
    }

    @Test func `a filter that a person writes has overlapping pages unless it says otherwise`() throws {
        let section = "mode: band_pass, low: 300, high: 3400"
        func pages(_ more: String) throws -> [DCTFilterPages?] {
            let filter = "{\(section)\(more)}"
            return try [
                text("condition: {dct_filter: \(filter)}"),
                text("condition: {pre_emphasis: 0.9, dct_filter: \(filter)}"),
                preset(.kaldiFBank, "condition.dct_filter=\(filter)"),
                text("condition: null", "condition.dct_filter=\(filter)"),
            ].map { $0.condition.dctFilter?.pages }
        }
        for more in ["", ", pages: overlapping", ", pages: null"] {
            #expect(try pages(more) == Array(repeating: .overlapping, count: 4), "\(more)")
        }
        #expect(try pages(", pages: separate") == Array(repeating: .separate, count: 4))
        // What is printed says it, so that it means the same wherever it is read.
        let separate = try preset(.logMel, "condition.dct_filter={\(section), pages: separate}")
        #expect(try ConfigurationText.json(separate).contains(#""pages":"separate"}"#))
        #expect(try text(ConfigurationText.yaml(separate)) == separate)
        let turned = try text(ConfigurationText.yaml(separate), "condition.dct_filter.pages=overlapping")
        #expect(turned.condition.dctFilter?.pages == .overlapping)
    }

    @Test func `another kind of scale drops the keys that are PCEN's alone, and keeps the others`() throws {
        let pcen = try preset(.logMel, "scale.kind=pcen", "scale.gain=0.5", "scale.factor=2")
        #expect(pcen.scale.pcen == (try PCENConfiguration(gain: 0.5)) && pcen.scale.factor == 2)
        let back = try preset(.logMel, "scale.kind=pcen", "scale.gain=0.5", "scale.factor=2", "scale.kind=db")
        #expect(back.scale == (try ScaleConfiguration(kind: .db, factor: 2)))
        let file = try text("scale: {kind: pcen, gain: 0.5, bias: 1, offset: 3}", "scale.kind=ln")
        #expect(file.scale == (try ScaleConfiguration(offset: 3)))
    }

    @Test func `a file is YAML or JSON, and what it leaves out is as in log-mel`() throws {
        let folder = try TemporaryFolder()
        let yaml = try folder.write("# mine\nframe:\n  hop: 80\r\naudio: {channels: first}\n", to: "a.yaml")
        let json = try folder.write(#"{"frame": {"hop": 80}, "audio": {"channels": "first"}}"#, to: "a.json")
        let (one, other) = (
            try ConfigurationSource(file: yaml).configuration(), try ConfigurationSource(file: json).configuration()
        )
        #expect(one == other)
        #expect(one.frame.hop == .samples(80) && one.frame.length == .samples(400) && one.audio.channels == .first)
        #expect(one.scale == (try Preset.logMel.configuration()).scale)
    }

    @Test(arguments: ["", "\n", "# nothing\n", "null", "~", "{}", "---\n", "\u{FEFF}{}", "frame:\naudio:\n"])
    func `a file that says nothing is log-mel's defaults`(text: String) throws {
        let found = try self.text(text)
        #expect(found == (try self.text("{version: 1}")))
        #expect(try self.text(text, "frame.hop=80").frame.hop == .samples(80))
    }

    @Test func `anchors and aliases are read`() throws {
        let found = try text("frame: {length: &n 256, hop: *n, fft_length: *n}")
        #expect(found.frame.length == .samples(256) && found.frame.hop == .samples(256) && found.frame.fftLength == 256)
    }

    @Test func `tags of YAML itself are read`() throws {
        #expect(try text("!!map {frame: {hop: !!int 80}, scale: {kind: !!str ln}}").frame.hop == .samples(80))
    }

    /// YAML 1.1 reads some plain words as other things than they look like.
    @Test func `numbers and truths are read as YAML 1.1 has them`() throws {
        #expect(try preset(.logMel, "frame.length=0400").frame.length == .samples(256), "a leading 0 is octal")
        #expect(try preset(.logMel, "frame.length=0x100").frame.length == .samples(256))
        #expect(try preset(.logMel, "audio.sample_rate=16_000").audio.sampleRate == 16_000)
        #expect(try preset(.logMel, "frame.hop=1:30").frame.hop == .samples(90), "sexagesimal")
        for word in ["yes", "on", "true", "True"] {
            #expect(try preset(.logMel, "frame.symmetric=\(word)").frame.symmetric, "\(word)")
        }
        for word in ["no", "off", "false"] {
            #expect(try !preset(.logMel, "frame.symmetric=\(word)").frame.symmetric, "\(word)")
        }
        // A name is a name, whatever YAML might call it.
        for word in ["no", "1", "1.0", "true", "2024-01-01"] {
            #expect(try preset(.logMel, "normalize.fit=\(word)").normalize.fit == word, "\(word)")
        }
        #expect(try preset(.logMel, "scale.kind=ln").scale.kind == .ln)
    }
}
