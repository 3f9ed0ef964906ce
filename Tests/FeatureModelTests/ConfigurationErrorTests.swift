import FeatureModel
import Testing

struct ConfigurationErrorTests {
    typealias Case = RefusedConfiguration

    @Test(arguments: [
        Case(#"{"version":2}"#, "version", found: "2", expected: "1"),
        Case(#"{"version":"one"}"#, "version", found: "'one'", expected: "1"),
        Case(#"{"audio":{"sample_rate":0}}"#, "audio.sample_rate", found: "0", expected: "1 to 10000000 Hz"),
        Case(#"{"audio":{"sample_rate":10000001}}"#, "audio.sample_rate", found: "10000001", expected: "10000000"),
        Case(#"{"audio":{"sample_rate":-8000}}"#, "audio.sample_rate", found: "-8000", expected: "null or 1"),
        Case(
            #"{"audio":{"channels":-1}}"#, "audio.channels", found: "-1", expected: "mix, first, all or a channel"),
        Case(#"{"audio":{"channels":1024}}"#, "audio.channels", found: "1024", expected: "mix, first"),
        Case(#"{"audio":{"channels":"left"}}"#, "audio.channels", found: "'left'", expected: "mix, first"),
        Case(
            #"{"audio":{"duration":0}}"#, "audio.duration", found: "0.0", expected: "more than 0, up to 86400000 s"),
        Case(#"{"audio":{"duration":-1}}"#, "audio.duration", found: "-1.0", expected: "null or more than 0"),
        Case(#"{"audio":{"duration":86400001}}"#, "audio.duration", found: "86400001.0", expected: "86400000 s"),
        Case(
            #"{"condition":{"pre_emphasis":1.5}}"#, "condition.pre_emphasis", found: "1.5",
            expected: "0 (none) to 1"),
        Case(
            #"{"condition":{"pre_emphasis":-0.1}}"#, "condition.pre_emphasis", found: "-0.1", expected: "0 (none)"),
        Case(
            #"{"condition":{"dct_filter":{"mode":"band_pass","low":300,"high":8001}}}"#,
            "condition.dct_filter.high",
            found: "8001 Hz", expected: "half the sample rate, 8000 Hz"),
        Case(
            #"{"condition":{"dct_filter":{"mode":"band_pass","low":"20 bins","high":20}}}"#,
            "condition.dct_filter.low", found: "20 bins", expected: "less than condition.dct_filter.high"),
        Case(#"{"frame":{"hop":0}}"#, "frame.hop", found: "0", expected: "1 to 4194304 samples"),
        Case(#"{"frame":{"hop":-160}}"#, "frame.hop", found: "-160", expected: "1 to 4194304 samples"),
        Case(#"{"frame":{"length":"25 min"}}"#, "frame.length", found: "'25 min'", expected: "25 ms"),
        Case(#"{"frame":{"length":"0 ms"}}"#, "frame.length", found: "'0 ms'", expected: "25 ms"),
        Case(#"{"frame":{"length":4194305}}"#, "frame.length", found: "4194305", expected: "1 to 4194304"),
        Case(#"{"frame":{"hop":"3601 s"}}"#, "frame.hop", found: "3601000 ms", expected: "up to an hour"),
        Case(#"{"frame":{"hop":"0.001 ms"}}"#, "frame.hop", found: "0 samples at 16000", expected: "1 to 4194304"),
        Case(
            #"{"frame":{"fft_length":399}}"#, "frame.fft_length", found: "399",
            expected: "frame.length, which is 400"),
        Case(#"{"frame":{"fft_length":0}}"#, "frame.fft_length", found: "0", expected: "from 1 to 4194304"),
        Case(
            #"{"frame":{"length":"50 ms","fft_length":512}}"#, "frame.fft_length", found: "512",
            expected: "at least frame.length, which is 800 samples at 16000"),
        Case(#"{"frame":{"pre_emphasis":1.5}}"#, "frame.pre_emphasis", found: "1.5", expected: "0 (none) to 1"),
        Case(#"{"frame":{"pre_emphasis":-1}}"#, "frame.pre_emphasis", found: "-1.0", expected: "0 (none) to 1"),
        Case(
            #"{"frame":{"drop_last":true}}"#, "frame.drop_last", found: "true with frame.align: start",
            expected: "false, or frame.align: center"),
        Case(
            #"{"frame":{"drop_last":true,"align":"kaldi"}}"#, "frame.drop_last", found: "frame.align: kaldi",
            expected: "frame.align: center"),
    ])
    func `a value out of range is refused with its key, what was found and what was expected`(example: Case) throws {
        try example.check()
    }

    @Test(arguments: [
        Case(#"{"audio":{"scale":"int24"}}"#, "audio.scale", found: "'int24'", expected: "unit, int16"),
        Case(#"{"audio":{"duration":"long"}}"#, "audio.duration", found: "'long'", expected: "number of seconds"),
        Case(#"{"condition":{"remove_dc":1}}"#, "condition.remove_dc", found: "1", expected: "true or false"),
        Case(
            #"{"condition":{"dct_filter":"x"}}"#, "condition.dct_filter", found: "'x'", expected: "mode, low, high"),
        Case(#"{"frame":{"align":"left"}}"#, "frame.align", found: "'left'", expected: "start, center, kaldi"),
        Case(#"{"frame":{"pad":3}}"#, "frame.pad", found: "3", expected: "reflect, edge, zero"),
        Case(#"{"frame":{"drop_last":"x"}}"#, "frame.drop_last", found: "'x'", expected: "true or false"),
        Case(#"{"frame":{"remove_dc":0.5}}"#, "frame.remove_dc", found: "0.5", expected: "true or false"),
        Case(#"{"frame":{"pre_emphasis":"a"}}"#, "frame.pre_emphasis", found: "'a'", expected: "0 (none) to 1"),
        Case(
            #"{"transform":{"kind":"wavelet"}}"#, "transform.kind", found: "'wavelet'",
            expected: "one of fft, dct, mel, mfcc, lfcc, musical"),
        Case(#"{"transform":{"mel_scale":""}}"#, "transform.mel_scale", found: "''", expected: "slaney, htk, lin"),
        Case(#"{"transform":{"mel_norm":[]}}"#, "transform.mel_norm", found: "something", expected: "none, slaney"),
        Case(
            #"{"scale":{"kind":true}}"#, "scale.kind", found: "true",
            expected: "magnitude, power, db, ln, log10, lin"),
        Case(#"{"normalize":{"scope":"split"}}"#, "normalize.scope", found: "'split'", expected: "none, clip, dat"),
        Case(#"{"normalize":{"method":1}}"#, "normalize.method", found: "1", expected: "zscore, minmax"),
        Case(#"{"normalize":{"axis":"row"}}"#, "normalize.axis", found: "'row'", expected: "bin, all"),
        Case(#"{"normalize":{"fit":3}}"#, "normalize.fit", found: "3", expected: "name of a split"),
        Case(#"{"store":{"layout":"ragged"}}"#, "store.layout", found: "'ragged'", expected: "packed, fixed"),
        Case(#"{"store":{"layout":"fixed"}}"#, "store.layout", found: "fixed without", expected: "audio.duration"),
        Case(#"{"store":{"type":"float64"}}"#, "store.type", found: "'float64'", expected: "float32, float16"),
        Case(#"{"store":{"compression":"gzip"}}"#, "store.compression", found: "'gzip'", expected: "none, deflate"),
        Case(#"{"audio":{"sample_rate":"fast"}}"#, "audio.sample_rate", found: "'fast'", expected: "whole number"),
        Case(#"{"frame":{"symmetric":"yes"}}"#, "frame.symmetric", found: "'yes'", expected: "true or false"),
        Case(
            #"{"frame":{"fft_length":{}}}"#, "frame.fft_length", found: "something else", expected: "whole number"),
        Case(#"{"frame":400}"#, "frame", found: "400", expected: "a mapping with the keys length, hop"),
        Case(#"{"scale":"db"}"#, "scale", found: "'db'", expected: "a mapping with the keys kind"),
        Case(#"[1]"#, "(top level)", found: "something else", expected: "a mapping with the keys version, extends"),
    ])
    func `a value of another type, or an unknown name, is refused with the names there are`(example: Case) throws {
        try example.check()
    }

    @Test func `numbers that are out of range are refused where a configuration is made in code`() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(throws: ConfigurationError.self) { try AudioConfiguration(duration: number) }
            #expect(throws: ConfigurationError.self) { try ConditionConfiguration(preEmphasis: number) }
            #expect(throws: ConfigurationError.self) { try FrameConfiguration(hop: .seconds(number)) }
            #expect(throws: ConfigurationError.self) { try FrameConfiguration(preEmphasis: number) }
            for window in [WindowFunction.kaiser(beta: number), .gaussian(sigma: number), .tukey(alpha: number)] {
                #expect(throws: ConfigurationError.self) { try FrameConfiguration(window: window) }
            }
            #expect(throws: ConfigurationError.self) { try MelConfiguration(low: number) }
            #expect(throws: ConfigurationError.self) { try MelConfiguration(high: number) }
            #expect(throws: ConfigurationError.self) {
                try CepstrumConfiguration(bank: MelConfiguration(), lifter: number)
            }
            #expect(throws: ConfigurationError.self) { try MusicalConfiguration(lowest: .hertz(number)) }
            #expect(throws: ConfigurationError.self) { try MusicalConfiguration(tuning: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(floor: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(reference: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(topDB: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(offset: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(factor: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(limit: number) }
            #expect(throws: ConfigurationError.self) { try PCENConfiguration(gain: number) }
            #expect(throws: ConfigurationError.self) { try PCENConfiguration(timeConstant: number) }
        }
    }

    @Test(arguments: [Int.min, -1, .max])
    func `the greatest and least integers are refused, not computed with`(number: Int) throws {
        #expect(throws: ConfigurationError.self) { try AudioConfiguration(sampleRate: number) }
        #expect(throws: ConfigurationError.self) { try FrameConfiguration(length: .samples(number)) }
        #expect(throws: ConfigurationError.self) { try FrameConfiguration(hop: .samples(number)) }
        #expect(throws: ConfigurationError.self) { try FrameConfiguration(fftLength: number) }
        #expect(throws: ConfigurationError.self) { try MelConfiguration(bins: number) }
        #expect(throws: ConfigurationError.self) { try CepstrumConfiguration(bins: number, bank: MelConfiguration()) }
        #expect(throws: ConfigurationError.self) { try DeltaConfiguration(order: number) }
        #expect(throws: ConfigurationError.self) { try DeltaConfiguration(order: 1, window: number) }
        #expect(throws: ConfigurationError.self) { try MusicalConfiguration(notes: number) }
        #expect(throws: ConfigurationError.self) { try MusicalConfiguration(pointsPerNote: number) }
        for transform: TransformConfiguration in [
            .fft(bins: number), .fft(bins: 1, step: number), .fft(bins: nil, step: number), .dct(bins: number),
        ] {
            #expect(throws: ConfigurationError.self) { try made(transform) }
        }
        #expect(throws: ConfigurationError.self) { try made(.fft(bins: nil, step: 0)) }
        if number != -1 {
            #expect(throws: ConfigurationError.self) {
                try made(.musical(MusicalConfiguration(lowest: .note(number, name: "?"))))
            }
        }
    }

    @Test func `coefficients of linear bands have linear bands`() throws {
        for bank in [
            try MelConfiguration(norm: .none), try MelConfiguration(scale: .linear),
            try MelConfiguration(scale: .linear, norm: .none, triangles: .mel),
        ] {
            let error = #expect(throws: ConfigurationError.self) { try made(.lfcc(CepstrumConfiguration(bank: bank))) }
            #expect(error?.description.contains("transform.kind: expected mel_scale linear, mel_norm none") == true)
        }
        let linear = try MelConfiguration(scale: .linear, norm: .none)
        #expect(try made(.lfcc(CepstrumConfiguration(bank: linear))).shape(at: 16_000).bins == 13)
    }

    private func made(_ transform: TransformConfiguration) throws -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(), frame: FrameConfiguration(), transform: transform, scale: ScaleConfiguration())
    }

    @Test func `values that depend on the sample rate are checked as soon as it is known`() throws {
        let open = try configuration(#"{"audio":{"sample_rate":null},"transform":{"high":8000}}"#)
        #expect(try open.shape(at: 16_000).bins == 80)
        #expect(throws: ConfigurationError.self) { try open.shape(at: 15_999) }
        #expect(refusal(#"{"audio":{"sample_rate":8000},"transform":{"high":8000}}"#) != nil)
    }

    @Test(
        arguments: [
            (#"{"frame":{"hopp":1}}"#, "frame.hopp", "frame.hop"), (#"{"frames":{}}"#, "frames", "frame"),
            (#"{"transform":{"bin":1}}"#, "transform.bin", "transform.bins"),
            (#"{"audio":{"Sample_Rate":1}}"#, "audio.Sample_Rate", "audio.sample_rate"),
            (#"{"condition":{"removedc":1}}"#, "condition.removedc", "condition.remove_dc"),
            (#"{"frame":{"windw":1}}"#, "frame.windw", "frame.window"),
            (#"{"frame":{"drop":1}}"#, "frame.drop", "frame.hop"),
            (#"{"frame":{"window":{"kind":"kaiser","bet":1}}}"#, "frame.window.bet", "frame.window.beta"),
            (#"{"transform":{"kind":"mfcc","band":1}}"#, "transform.band", "transform.bands"),
            (#"{"transform":{"kind":"mfcc","liftering":22}}"#, "transform.liftering", "transform.lifter"),
            (#"{"transform":{"kind":"mfcc","delta":1}}"#, "transform.delta", "transform.deltas"),
            (#"{"transform":{"kind":"musical","note":1}}"#, "transform.note", "transform.notes"),
            (#"{"scale":{"topdb":80}}"#, "scale.topdb", "scale.top_db"),
            (#"{"scale":{"kind":"pcen","timeconstant":1}}"#, "scale.timeconstant", "scale.time_constant"),
            (#"{"normalise":{}}"#, "normalise", "normalize"), (#"{"store":{"xxxxxxxxxx":1}}"#, "store.xxxxxxxxxx", nil),
        ] as [(String, String, String?)])
    func `an unknown key is refused with the nearest known one`(json: String, key: String, nearest: String?) throws {
        let error = try #require(refusal(json))
        guard case .unknownKey(let foundKey, let foundNearest, let known) = error else {
            Issue.record("expected an unknown key, found \(error)")
            return
        }
        #expect(foundKey == key && foundNearest == nearest && !known.isEmpty)
        #expect(error.description.contains("'\(key)'"))
        #expect(error.description.contains("did you mean") == (nearest != nil))
    }
}
