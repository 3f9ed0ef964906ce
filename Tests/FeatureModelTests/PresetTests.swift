import Foundation
import TestSupport
import Testing

@testable import FeatureModel

struct PresetTests {
    @Test(arguments: Preset.allCases)
    func `every preset is valid and survives being written as JSON`(preset: Preset) throws {
        let configuration = try preset.configuration()
        let json = try JSONEncoder().encode(configuration)
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: json) == configuration)
        #expect(!preset.summary.isEmpty && preset.summary.count <= 100 && !preset.summary.contains("\n"))
        for line in (preset.notes ?? "").split(separator: "\n") { #expect(line.count <= 118, "\(line)") }
    }

    @Test func `the blocks of presets.txt are the presets, in their order`() throws {
        let file = Fixtures.repository.appending(path: "Sources/FeatureModel/Resources/presets.txt")
        let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
        let names = blocks.compactMap { $0.split(separator: "\n").first { !$0.hasPrefix("#") } }.map(String.init)
        #expect(names == Preset.allCases.map(\.rawValue))
        // A setting that is written wrongly would be left in the text.
        for preset in Preset.allCases { #expect(preset.notes?.contains { "<>".contains($0) } != true, "\(preset)") }
    }

    @Test(arguments: [
        "notes: a", "group: librarie", "rate: fast", "window: 5 s", "window: 0", "transform: kind=fft bin=8",
        "transform: kind=fft bins",
        "summary",
        "frame.hop", "frame.hop=160 frame", "frame.hopp=160", "frame.hop=", "=160",
    ])
    func `a line that a block may not have is refused`(line: String) throws {
        func entry(_ text: String) -> PresetEntry { PresetEntry(named: "a", in: Array(text.utf8)) }
        let good = entry("# a\n\nb\na\nframe.hop=1\n\n# a\na\n# b\nrate: 8000\nframe.hop=200\n\nframe.hop=300")
        #expect(try good.definition().frame.hop == .samples(200) && good.usualRate == 8000)
        let refused = entry("a\nsummary: b\n\(line)")
        #expect(throws: ConfigurationError.self) { try refused.definition() }
    }

    @Test func `an empty configuration computes the same as log-mel`() throws {
        let (preset, empty) = (try Preset.logMel.configuration(), try configuration("{}"))
        let (expected, found) = (try preset.shape(at: 16_000), try empty.shape(at: 16_000))
        #expect(found.geometry == expected.geometry && found.bins == expected.bins)
        #expect(empty.audio == preset.audio && empty.scale == preset.scale && empty.normalize == preset.normalize)
        #expect(empty.frame == preset.frame && empty.store == preset.store && empty.condition == preset.condition)
        // Half of 16,000 Hz is the 8000 Hz of the preset.
        #expect(empty.transform == .mel(try MelConfiguration(high: nil)))
        for json in [#"{"frame": null}"#, #"{"version": 1, "frame": {"hop": null}}"#] {
            let geometry = try configuration(json).shape(at: 16_000).geometry
            #expect(geometry == expected.geometry, "\(json)")
        }
    }

    @Test(
        arguments: [
            ("kaldi", ["kaldi-fbank", "kaldi-mfcc"]), ("Log_Mel", ["log-mel"]),
            ("fbank", ["kaldi-fbank", "lhotse-fbank", "speechbrain-fbank"]), ("cnn14-16k", ["cnn14"]),
            ("perch", ["perch-1", "perch-2"]), ("lhotse", ["lhotse-fbank"]),
            ("facebook/hubert-base-ls960", ["hubert-base-ls960"]),
            ("openai/whisper-large-v3", ["whisper-large-v3"]), ("log-mell", ["log-mel"]), ("wisper", ["whisper"]),
            ("zzzzzz", []),
            ("fastpitch", []), ("podcast", []), ("MIT/ast-10-10", ["ast"]), ("heartbeats", []),
            ("", []),
        ] as [(String, [String])])
    func `an unknown name means the presets that contain it, else the nearest`(name: String, expected: [String]) {
        #expect(Preset.likely(name) == expected)
    }

    @Test func `a name of a model is a preset with the settings that the model needs`() throws {
        func named(_ name: String) throws -> NamedPreset { try #require(NamedPreset(name)) }
        #expect(try named("hubert").preset == .wav2vec2 && named("hubert").settings.isEmpty)
        #expect(try named("Whisper-Large-V3").words == "whisper with transform.bins=128")
        #expect(NamedPreset("whisper-huge") == nil && NamedPreset("") == nil)
        var names: Set<String> = Set(Preset.allCases.map(\.rawValue))
        for preset in Preset.allCases {
            for alias in preset.aliases {
                #expect(names.insert(alias.name).inserted && alias.name == alias.name.lowercased(), "\(alias.name)")
                let named = try named(alias.name)
                let (own, found) = (try preset.configuration(), try named.configuration())
                #expect(named.preset == preset && (found == own) == alias.settings.isEmpty, "\(alias.name)")
                // What the model needs is no change of its input.
                #expect(ModelInput(try ConfigurationTree(named), found)?.changes.isEmpty != false, "\(alias.name)")
            }
        }
    }

    @Test func `only log-mel normalises over the dataset: the others are what their original computes of a clip alone`()
        throws
    {
        for preset in Preset.allCases {
            let scope = try preset.configuration().normalize.scope
            #expect((scope == .dataset) == (preset == .logMel), "\(preset.rawValue)")
        }
    }

    @Test func `what the values of a kind are called, and their unit`() throws {
        let expected: [(Preset, units: String, longName: String)] = [
            (.logMel, "zscore of ln(power)", "mel spectrogram"), (.spectrogram, "dB", "spectrogram (real FFT)"),
            (.scrollingDCT, "dB", "spectrogram (DCT-II)"), (.musicalSpectrum, "magnitude", "musical spectrum"),
            (.librosaMFCC, "cepstrum of dB", "mel-frequency cepstral coefficients"),
            (.htkMFCC, "cepstrum of ln(power)", "mel-frequency cepstral coefficients with deltas and delta-deltas"),
            (.whisper, "0.25 * (log10(power) + 4)", "mel spectrogram"), (.gemma3n, "ln(magnitude)", "mel spectrogram"),
            (.ast, "normalised ln(power)", "mel spectrogram"),
            (.birdnetLow, "power^0.2261814257305462", "mel spectrogram"), (.perch1, "PCEN", "mel spectrogram"),
            (.moonshine, "amplitude", "waveform"),
        ]
        for (preset, units, longName) in expected {
            let configuration = try preset.configuration()
            #expect(configuration.storedUnits == units, "\(preset.rawValue)")
            #expect(configuration.transform.longName == longName, "\(preset.rawValue)")
        }
    }

    @Test(arguments: Preset.allCases)
    func `every preset has a group and says where its numbers are written`(preset: Preset) throws {
        #expect(!preset.source.isEmpty && preset.source.count <= 110 && !preset.source.contains("\n"))
        if let rate = try preset.configuration().audio.sampleRate { #expect(preset.usualRate == Double(rate)) }
    }

    @Test func `presets of a group follow one another, and every group has some`() {
        let groups = Preset.allCases.map(\.group)
        #expect(Set(groups) == Set(PresetGroup.allCases))
        #expect(zip(groups, groups.dropFirst()).filter { $0 != $1 }.count == PresetGroup.allCases.count - 1)
    }

    @Test func `the variants that the notes name are there`() throws {
        #expect(Preset.musicalSpectrum.transform(of: .fft) == .fft(bins: 2048))
        for preset in Preset.allCases {
            for kind in TransformConfiguration.Kind.allCases where preset != .musicalSpectrum || kind != .fft {
                #expect(preset.transform(of: kind) == nil)
            }
        }
        let whisper = try Preset.whisper.configuration()
        guard case .mel(let mel, _) = whisper.transform.method else {
            Issue.record("expected a mel spectrum")
            return
        }
        let large = try FeatureConfiguration(
            audio: whisper.audio, frame: whisper.frame,
            transform: .mel(MelConfiguration(bins: 128, low: mel.low, high: mel.high)), scale: whisper.scale)
        #expect(try large.shape(at: 16_000).bins == 128)
        #expect(
            try TransformConfiguration.fft(bins: 200, step: 8).bins(
                frameLength: 8192, fftLength: 8192, sampleRate: 44_100) == 25)
    }

    @Test func `columns of cepstra have the orders of their coefficients`() throws {
        #expect(try Preset.kaldiMFCC.configuration().transform.cepstrum?.orders == Array(0...12))
        #expect(try Preset.htkMFCC.configuration().transform.cepstrum?.orders == Array(1...12) + [0])
        let bank = try MelConfiguration(bins: 23)
        #expect(try CepstrumConfiguration(bins: 4, bank: bank, zeroth: .none).orders == [1, 2, 3, 4])
        #expect(try CepstrumConfiguration(bins: 1, bank: bank, zeroth: .last).orders == [0])
    }
}
