import FeatureModel
import Foundation
import Testing

@Suite("Preset")
struct PresetTests {
    @Test("every preset is valid and survives being written as JSON", arguments: Preset.allCases)
    func roundTrip(preset: Preset) throws {
        let configuration = try preset.configuration()
        let json = try JSONEncoder().encode(configuration)
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: json) == configuration)
        #expect(!preset.summary.isEmpty && preset.summary.count <= 100 && !preset.summary.contains("\n"))
    }

    @Test("log-mel has the values of the contract")
    func logMel() throws {
        let configuration = try Preset.logMel.configuration()
        let audio = configuration.audio
        #expect(audio.sampleRate == 16_000 && audio.channels == .mix && audio.scale == .unit)
        let frame = configuration.frame
        #expect(frame.length == .samples(400) && frame.hop == .samples(160) && frame.fftLength == 512)
        #expect(frame.window == .hann && !frame.symmetric && frame.align == .start && frame.pad == .reflect)
        guard case .mel(let mel, _) = configuration.transform else {
            Issue.record("expected a mel spectrum")
            return
        }
        #expect(mel.bins == 80 && mel.low == 0 && mel.high == 8000 && mel.scale == .slaney && mel.norm == .slaney)
        let scale = configuration.scale
        #expect(scale.kind == .ln && scale.floor == 1e-10 && scale.reference == 1)
        let normalize = configuration.normalize
        #expect(normalize.scope == .dataset && normalize.method == .zscore && normalize.axis == .bin)
        #expect(normalize.fit == "train")
        let store = configuration.store
        #expect(store.layout == .packed && store.element == .float32 && store.compression == .none)
        #expect(configuration.storedUnits == "zscore of ln(power)")
    }

    @Test("what an empty configuration computes is what log-mel computes")
    func defaults() throws {
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

    @Test("only log-mel normalises")
    func normalisation() throws {
        for preset in Preset.allCases {
            let scope = try preset.configuration().normalize.scope
            #expect((scope != .none) == (preset == .logMel), "\(preset.rawValue)")
        }
    }

    @Test("the reproductions have the shapes of their sources")
    func reproductions() throws {
        let scrolling = try Preset.scrollingDCT.configuration().shape(at: 44_100)
        #expect(scrolling.geometry.length == 1024 && scrolling.geometry.hop == 512 && scrolling.bins == 1024)
        let mixer = try Preset.mixerFFT.configuration().shape(at: 44_100)
        #expect(mixer.geometry.length == 512 && mixer.geometry.hop == 512 && mixer.bins == 256)
    }
}
