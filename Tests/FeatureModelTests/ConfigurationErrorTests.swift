import FeatureModel
import Testing

@Suite("ConfigurationError")
struct ConfigurationErrorTests {
    /// A configuration that is refused, the key that is named, and what is said to be found and expected there.
    struct Case: Sendable, CustomTestStringConvertible {
        let json, key, found, expected: String
        var testDescription: String { json }

        init(_ json: String, _ key: String, found: String, expected: String) {
            (self.json, self.key, self.found, self.expected) = (json, key, found, expected)
        }
    }

    @Test(
        "a value out of range is refused with its key, what was found and what was expected",
        arguments: [
            Case(#"{"version":2}"#, "version", found: "2", expected: "1"),
            Case(#"{"version":"one"}"#, "version", found: "'one'", expected: "1"),
            Case(#"{"audio":{"sample_rate":0}}"#, "audio.sample_rate", found: "0", expected: "1 to 10000000 Hz"),
            Case(#"{"audio":{"sample_rate":10000001}}"#, "audio.sample_rate", found: "10000001", expected: "10000000"),
            Case(#"{"audio":{"sample_rate":-8000}}"#, "audio.sample_rate", found: "-8000", expected: "null or 1"),
            Case(#"{"audio":{"channels":-1}}"#, "audio.channels", found: "-1", expected: "mix, first or a channel"),
            Case(#"{"audio":{"channels":1024}}"#, "audio.channels", found: "1024", expected: "mix, first"),
            Case(#"{"audio":{"channels":"left"}}"#, "audio.channels", found: "'left'", expected: "mix, first"),
            Case(#"{"audio":{"duration":30}}"#, "audio.duration", found: "30", expected: "null"),
            Case(#"{"condition":{"dct_filter":"x"}}"#, "condition.dct_filter", found: "'x'", expected: "null"),
            Case(#"{"frame":{"hop":0}}"#, "frame.hop", found: "0", expected: "from 1"),
            Case(#"{"frame":{"hop":-160}}"#, "frame.hop", found: "-160", expected: "from 1"),
            Case(#"{"frame":{"length":"25 min"}}"#, "frame.length", found: "'25 min'", expected: "25 ms"),
            Case(#"{"frame":{"length":"0 ms"}}"#, "frame.length", found: "'0 ms'", expected: "25 ms"),
            Case(#"{"frame":{"length":4194305}}"#, "frame.length", found: "4194305", expected: "1 to 4194304"),
            Case(#"{"frame":{"hop":"3601 s"}}"#, "frame.hop", found: "3601000 ms", expected: "up to an hour"),
            Case(#"{"frame":{"hop":"0.001 ms"}}"#, "frame.hop", found: "0 samples at 16000", expected: "1 to 4194304"),
            Case(#"{"frame":{"fft_length":399}}"#, "frame.fft_length", found: "399", expected: "frame.length (400)"),
            Case(#"{"frame":{"fft_length":0}}"#, "frame.fft_length", found: "0", expected: "from 1 to 4194304"),
            Case(
                #"{"frame":{"length":"50 ms","fft_length":512}}"#, "frame.fft_length", found: "512",
                expected: "at least frame.length, which is 800 samples at 16000"),
            Case(#"{"frame":{"remove_dc":true}}"#, "frame.remove_dc", found: "true", expected: "false"),
            Case(#"{"frame":{"pre_emphasis":0.97}}"#, "frame.pre_emphasis", found: "0.97", expected: "0 ("),
            Case(#"{"transform":{"bins":0}}"#, "transform.bins", found: "0", expected: "from 1"),
            Case(#"{"transform":{"bins":8193}}"#, "transform.bins", found: "8193", expected: "1 to 8192"),
            Case(#"{"transform":{"kind":"fft","bins":258}}"#, "transform.bins", found: "258", expected: "1 to 257"),
            Case(#"{"transform":{"kind":"dct","bins":513}}"#, "transform.bins", found: "513", expected: "1 to 512"),
            Case(#"{"transform":{"low":-1}}"#, "transform.low", found: "-1", expected: "from 0"),
            Case(#"{"transform":{"low":8000}}"#, "transform.low", found: "8000", expected: "half the sample rate"),
            Case(
                #"{"transform":{"low":300,"high":300}}"#, "transform.high", found: "300",
                expected: "more than transform.low (300.0 Hz)"),
            Case(#"{"transform":{"high":8001}}"#, "transform.high", found: "8001", expected: "8000.0 Hz"),
            Case(#"{"transform":{"high":0}}"#, "transform.high", found: "0", expected: "frequency in Hz"),
            Case(
                #"{"transform":{"kind":"fft","low":300}}"#, "transform.low", found: "beside kind: fft",
                expected: "only kind and bins"),
            Case(#"{"scale":{"floor":0}}"#, "scale.floor", found: "0", expected: "1.2e-38"),
            Case(#"{"scale":{"floor":-1}}"#, "scale.floor", found: "-1", expected: "1.2e-38"),
            Case(#"{"scale":{"reference":1e39}}"#, "scale.reference", found: "1e+39", expected: "3.4e38"),
            Case(#"{"scale":{"top_db":80}}"#, "scale.top_db", found: "80", expected: "null"),
        ])
    func outOfRange(example: Case) throws {
        try check(example)
    }

    @Test(
        "a value of another type, or an unknown name, is refused with the names there are",
        arguments: [
            Case(#"{"audio":{"scale":"int24"}}"#, "audio.scale", found: "'int24'", expected: "unit, int16"),
            Case(#"{"frame":{"window":"Hann"}}"#, "frame.window", found: "'Hann'", expected: "rectangular, hann, ham"),
            Case(#"{"frame":{"align":"kaldi"}}"#, "frame.align", found: "'kaldi'", expected: "start, center"),
            Case(#"{"frame":{"pad":3}}"#, "frame.pad", found: "3", expected: "reflect, zero"),
            Case(#"{"transform":{"kind":"mfcc"}}"#, "transform.kind", found: "'mfcc'", expected: "fft, dct, mel"),
            Case(#"{"transform":{"mel_scale":""}}"#, "transform.mel_scale", found: "''", expected: "slaney, htk"),
            Case(#"{"transform":{"mel_norm":[]}}"#, "transform.mel_norm", found: "something", expected: "none, slaney"),
            Case(#"{"scale":{"kind":true}}"#, "scale.kind", found: "true", expected: "magnitude, power, db, ln, log10"),
            Case(#"{"normalize":{"scope":"split"}}"#, "normalize.scope", found: "'split'", expected: "none, clip, dat"),
            Case(#"{"normalize":{"method":1}}"#, "normalize.method", found: "1", expected: "zscore, minmax"),
            Case(#"{"normalize":{"axis":"row"}}"#, "normalize.axis", found: "'row'", expected: "bin, all"),
            Case(#"{"normalize":{"fit":3}}"#, "normalize.fit", found: "3", expected: "name of a split"),
            Case(#"{"store":{"layout":"fixed"}}"#, "store.layout", found: "'fixed'", expected: "packed"),
            Case(#"{"store":{"type":"float16"}}"#, "store.type", found: "'float16'", expected: "float32"),
            Case(#"{"store":{"compression":"gzip"}}"#, "store.compression", found: "'gzip'", expected: "none"),
            Case(#"{"audio":{"sample_rate":"fast"}}"#, "audio.sample_rate", found: "'fast'", expected: "whole number"),
            Case(#"{"frame":{"symmetric":"yes"}}"#, "frame.symmetric", found: "'yes'", expected: "true or false"),
            Case(
                #"{"frame":{"fft_length":{}}}"#, "frame.fft_length", found: "something else", expected: "whole number"),
            Case(#"{"frame":400}"#, "frame", found: "something else", expected: "a mapping with the keys length, hop"),
            Case(#"{"scale":"db"}"#, "scale", found: "'db'", expected: "a mapping with the keys kind"),
            Case(#"[1]"#, "(top level)", found: "something else", expected: "a mapping with the keys version, audio"),
        ])
    func ofAnotherKind(example: Case) throws {
        try check(example)
    }

    private func check(_ example: Case) throws {
        let error = try #require(refusal(example.json))
        guard case .invalidValue(let key, let found, let expected) = error else {
            Issue.record("expected an invalid value, found \(error)")
            return
        }
        #expect(key == example.key)
        #expect(found.contains(example.found), "found: \(found)")
        #expect(expected.contains(example.expected), "expected: \(expected)")
        #expect(error.description == "configuration \(key): expected \(expected), found \(found)")
    }

    @Test("numbers that are not finite are refused where a configuration is made in code")
    func notFinite() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(floor: number) }
            #expect(throws: ConfigurationError.self) { try ScaleConfiguration(reference: number) }
            #expect(throws: ConfigurationError.self) { try MelConfiguration(low: number) }
            #expect(throws: ConfigurationError.self) { try MelConfiguration(high: number) }
            #expect(throws: ConfigurationError.self) { try FrameConfiguration(hop: .seconds(number)) }
        }
        #expect(throws: ConfigurationError.self) { try FrameConfiguration(hop: .samples(0)) }
        #expect(throws: ConfigurationError.self) { try FrameConfiguration(hop: .samples(.min)) }
        #expect(throws: ConfigurationError.self) { try AudioConfiguration(sampleRate: .max) }
        #expect(throws: ConfigurationError.self) { try MelConfiguration(bins: .min) }
    }

    @Test("what depends on the sample rate is checked as soon as the rate is known")
    func atSampleRate() throws {
        let open = try configuration(#"{"audio":{"sample_rate":null},"transform":{"high":8000}}"#)
        #expect(try open.shape(at: 16_000).bins == 80)
        #expect(throws: ConfigurationError.self) { try open.shape(at: 15_999) }
        #expect(refusal(#"{"audio":{"sample_rate":8000},"transform":{"high":8000}}"#) != nil)
    }

    @Test(
        "an unknown key is refused with the nearest known one",
        arguments: [
            (#"{"frame":{"hopp":1}}"#, "frame.hopp", "frame.hop"), (#"{"frames":{}}"#, "frames", "frame"),
            (#"{"transform":{"bin":1}}"#, "transform.bin", "transform.bins"),
            (#"{"audio":{"Sample_Rate":1}}"#, "audio.Sample_Rate", "audio.sample_rate"),
            (#"{"normalise":{}}"#, "normalise", "normalize"), (#"{"store":{"xxxxxxxxxx":1}}"#, "store.xxxxxxxxxx", nil),
        ] as [(String, String, String?)])
    func unknownKey(json: String, key: String, nearest: String?) throws {
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
