import ConfigurationFiles
import FeatureModel
import Testing

struct KindChangeTests {
    @Test
    func `a section that is set by a mapping keeps what that does not mention, and the way back leads to the preset`()
        throws
    {
        let bank = try preset(.kaldiMFCC, "transform.kind=mel").transform
        #expect(bank.bank?.bins == 23)
        #expect(try preset(.kaldiMFCC, "transform={kind: mel}").transform == bank)
        #expect(try preset(.kaldiMFCC, "transform.kind=fft", "transform.kind=mfcc") == preset(.kaldiMFCC))
        let frame = try preset(.kaldiMFCC, "frame={hop: 80}").frame
        #expect(frame.hop == .samples(80) && frame.window == .povey && frame.removeDC)
    }

    private func preset(_ preset: Preset, _ assignments: String...) throws -> FeatureConfiguration {
        var source = ConfigurationSource(preset: preset)
        for assignment in assignments { try source.set(assignment) }
        return try source.configuration()
    }

    private func bank(_ configuration: FeatureConfiguration) throws -> MelConfiguration {
        try #require(configuration.transform.bank)
    }

    @Test func `kaldi-mfcc as mel is kaldi-fbank`() throws {
        #expect(try preset(.kaldiMFCC, "transform.kind=mel") == preset(.kaldiFBank))
        #expect(
            try preset(.kaldiMFCC, "audio.sample_rate=8000", "transform.kind=mel")
                == preset(.kaldiFBank, "audio.sample_rate=8000"))
        #expect(
            try preset(.kaldiMFCC, "transform.bands=40", "transform.kind=mel")
                == preset(.kaldiFBank, "transform.bins=40"))
    }

    @Test(arguments: Preset.allCases)
    func `the bands of cepstra are those of the mel spectrum, and back`(preset: Preset) throws {
        let own = try preset.configuration()
        guard own.scale.kind.isLogarithmic, own.transform.bank != nil else { return }
        let expected = try bank(own)
        for kinds in [["mel"], ["mfcc"], ["mfcc", "mel"], ["mel", "mfcc"], ["mel", "mel", "mfcc", "mfcc"]] {
            var source = ConfigurationSource(preset: preset)
            for kind in kinds { try source.set("transform.kind=\(kind)") }
            let found = try source.configuration()
            #expect(try bank(found) == expected, "\(preset) \(kinds)")
            #expect(
                found.transform.deltas == own.transform.deltas && found.frame == own.frame && found.scale == own.scale)
        }
    }

    @Test func `mfcc and lfcc share all but the mel scale`() throws {
        let found = try preset(.htkMFCC, "transform.low=100", "transform.kind=lfcc")
        let own = try #require(try preset(.htkMFCC).transform.cepstrum)
        let cepstrum = try #require(found.transform.cepstrum)
        #expect(cepstrum.bins == own.bins && cepstrum.norm == own.norm && cepstrum.lifter == own.lifter)
        #expect(cepstrum.zeroth == own.zeroth && cepstrum.deltas == own.deltas)
        #expect(cepstrum.bank.bins == 23 && cepstrum.bank.low == 100 && cepstrum.bank.high == 8000)
        #expect(cepstrum.bank.scale == .linear)
    }

    @Test func `bins of an FFT and of a DCT are the same, those of bands are not`() throws {
        #expect(try preset(.mixerFFT, "transform.kind=dct").transform == .dct(bins: 256))
        #expect(try preset(.scrollingDCT, "transform.bins=100", "transform.kind=fft").transform == .fft(bins: 100))
        #expect(try preset(.logMel, "transform.kind=fft").transform == .fft(bins: nil))
        #expect(try preset(.mixerFFT, "transform.kind=mel").transform == .mel(MelConfiguration()))
        #expect(try preset(.kaldiMFCC, "transform.kind=dct").transform == .dct(bins: nil))
    }
}
