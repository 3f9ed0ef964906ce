import FeatureModel
import Testing

struct RateFollowingTests {
    private static let timed: [Preset] = [
        .logMel, .kaldiFBank, .kaldiMFCC, .htkMFCC, .ast, .astSpeechCommands, .audioMAE, .beats,
    ]
    /// Those with an upper edge, or a transform, that does not follow the rate.
    private static let otherwiseTimed: [Preset] = [
        .spectrogram, .wideLogMel, .icefall, .lhotseFBank, .speechbrainFBank,
    ]

    /// The preset's definition at another rate, by way of its own sections.
    private func made(_ preset: Preset, at rate: Int?) throws -> FeatureConfiguration {
        let definition = try preset.definition()
        let audio = try AudioConfiguration(
            sampleRate: rate, channels: definition.audio.channels, scale: definition.audio.scale,
            resampler: definition.audio.resampler)
        return try FeatureConfiguration(
            audio: audio, condition: definition.condition, frame: definition.frame, transform: definition.transform,
            scale: definition.scale, normalize: definition.normalize, rows: definition.rows,
            patches: definition.patches, store: definition.store)
    }

    @Test(arguments: [
        (8000, 200, 80, 256), (11_025, 275.625, 110.25, 512), (16_000, 400, 160, 512),
        (22_050, 551.25, 220.5, 1024),
        (44_100, 1102.5, 441, 2048), (48_000, 1200, 480, 2048), (96_000, 2400, 960, 4096),
    ])
    func `25 ms every 10 ms, the next power of two and half the rate follow the rate`(
        rate: Int, length: Double, hop: Double, fftLength: Int
    ) throws {
        for preset in Self.timed {
            let found = try made(preset, at: rate)
            // Kaldi, HTK and torchaudio round down.
            let rule: FloatingPointRoundingRule = preset == .logMel ? .toNearestOrAwayFromZero : .down
            let (length, hop) = (Int(length.rounded(rule)), Int(hop.rounded(rule)))
            #expect(found.frame.length == .samples(length) && found.frame.hop == .samples(hop), "\(preset)")
            #expect(found.frame.fftLength == fftLength, "\(preset)")
            #expect((found.transform.bank?.high ?? Double(rate) / 2) == Double(rate) / 2, "\(preset)")
        }
    }

    @Test(arguments: timed)
    func `at the preset's own rate they are the preset`(preset: Preset) throws {
        #expect(try made(preset, at: 16_000) == preset.configuration())
    }

    @Test(arguments: timed)
    func `at the files' own rate, times are kept until it is known`(preset: Preset) throws {
        let found = try made(preset, at: nil)
        #expect(found.frame.length == .seconds(0.025) && found.frame.hop == .seconds(0.01))
        #expect(found.frame.fftLength == nil && found.transform.bank?.high == nil)
        let (geometry, bins) = try found.shape(at: 44_100)
        #expect(geometry.length == (preset == .logMel ? 1103 : 1102))
        #expect(geometry.hop == 441 && geometry.fftLength == 2048)
        #expect(try bins == preset.configuration().shape(at: 16_000).bins)
    }

    @Test(arguments: Preset.allCases.filter { !(timed + otherwiseTimed).contains($0) })
    func `all other presets are defined in samples, which they keep at every rate`(preset: Preset) throws {
        let definition = try preset.definition()
        guard case .samples = definition.frame.length else {
            Issue.record("\(preset) has times")
            return
        }
        #expect(try definition.frame == preset.configuration().frame)
    }

    @Test func `values that a configuration omits follow the rate, and those given in samples do not`() throws {
        let open = try configuration(#"{"audio":{"sample_rate":8000}}"#)
        #expect(open.frame.length == .samples(200) && open.frame.hop == .samples(80) && open.frame.fftLength == 256)
        let given = try configuration(#"{"audio":{"sample_rate":8000},"frame":{"length":400,"fft_length":512}}"#)
        #expect(given.frame.length == .samples(400) && given.frame.hop == .samples(80) && given.frame.fftLength == 512)
        let words = try configuration(
            #"{"audio":{"sample_rate":"8 kHz"},"frame":{"length":"32 ms","fft_length":"next_power_of_two"},"#
                + #""transform":{"high":"half"}}"#)
        #expect(
            words.frame.length == .samples(256) && words.frame.fftLength == 256 && words.transform.bank?.high == 4000)
        let unknown = try configuration(
            #"{"audio":{"sample_rate":null},"frame":{"fft_length":"next_power_of_two"},"transform":{"high":"half"}}"#)
        #expect(unknown.frame.fftLength == nil && unknown.transform.bank?.high == nil)
        // Null remains null, as feature files have always stored it.
        let null = try configuration(#"{"frame":{"length":"25 ms","fft_length":null},"transform":{"high":null}}"#)
        #expect(null.frame.fftLength == nil && null.transform.bank?.high == nil && null.frame.length == .samples(400))
    }

    private func warning(_ preset: Preset, _ rate: Int?, at sampleRate: Double, hop: SampleSpan? = nil) throws
        -> String?
    {
        let definition = try preset.definition()
        let frame = definition.frame
        let changed = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: rate),
            frame: FrameConfiguration(
                length: frame.length, hop: hop ?? frame.hop, fftLength: frame.fftLength, align: frame.align),
            transform: .fft(bins: nil), scale: definition.scale)
        return try preset.rateWarning(for: changed, sampleRate: sampleRate)?.text { _, value in "--set \(value ?? "")" }
    }

    @Test func `a warning of another rate under a preset of samples names both durations and what to do`() throws {
        let mfcc = try #require(try warning(.torchaudioMFCC, 8000, at: 8000))
        #expect(
            mfcc
                == "torchaudio-mfcc: frames of 400 samples last 50 ms, hops of 200 samples 25 ms at 8000 Hz, not 25 ms and 12.5 ms "
                + "as at 16000 Hz; to keep the times: --set frame.length='25 ms' --set frame.hop='12.5 ms' "
                + "--set frame.fft_length=next_power_of_two")
        #expect(try #require(try warning(.librosaLogMel, 16_000, at: 16_000)).contains("128 ms"))
        #expect(try #require(try warning(.librosaLogMel, 16_000, at: 16_000)).contains("92.88 ms"))
        #expect(try #require(try warning(.torchaudioMFCC, 44_100, at: 44_100)).contains("9.07 ms"))
        let half = try #require(try warning(.torchaudioMFCC, 8000, at: 8000, hop: .samples(80)))
        #expect(half.contains("50 ms") && !half.contains("hops"))
    }

    @Test func `there is no warning if the rate is the preset's, the usual one, or the files' own as it should be`()
        throws
    {
        #expect(try warning(.whisper, 16_000, at: 16_000) == nil)
        #expect(try warning(.whisper, 8000, at: 8000) == nil, "a model's numbers are not changed: see ModelInput")
        #expect(try warning(.librosaLogMel, 22_050, at: 22_050) == nil)
        #expect(try warning(.librosaLogMel, nil, at: 8000) == nil, "its definition: the file's rate")
        for preset in Self.timed { #expect(try warning(preset, 8000, at: 8000) == nil) }
    }
}
