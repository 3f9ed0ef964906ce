import FeatureModel
import TestSupport
import Testing

struct TimeRoundingTests {
    struct Golden: Decodable {
        struct Case: Decodable {
            let original: String
            let rounding: String
            let presets: [String]
            /// Rate, length, hop.
            let samples: [[Int]]
            /// Whole rates up to 192 kHz at which the original misses the exact number, by a sample.
            let missed: [Int]
        }

        let cases: [Case]
    }

    private static func cases() throws -> [Golden.Case] {
        try Fixtures.golden("frame-lengths.json", as: Golden.self).cases
    }

    private func geometry(_ frame: FrameConfiguration, at rate: Int) throws -> [Int] {
        let geometry = try frame.geometry(at: Double(rate))
        return [geometry.length, geometry.hop]
    }

    /// 25 ms and 10 ms at every preset's rounding; transforms are as long as need be.
    private func frame(_ preset: Preset) throws -> FrameConfiguration {
        try FrameConfiguration(rounding: preset.definition().frame.rounding, fftLength: nil)
    }

    @Test func `a preset has its original's lengths at the rates of parity`() throws {
        for golden in try Self.cases() {
            for name in golden.presets {
                let preset = try #require(Preset(rawValue: name))
                #expect(try preset.definition().frame.rounding.rawValue == golden.rounding)
                for row in golden.samples {
                    #expect(try geometry(frame(preset), at: row[0]) == Array(row[1...]), "\(name)")
                }
            }
        }
    }

    @Test func `lengths are exact at every whole rate, and the originals' but where their own arithmetic misses`()
        throws
    {
        let (down, even) = (try frame(.kaldiFBank), try frame(.speechbrainFBank))
        var wrong: [Int] = []
        for rate in 1000...192_000 {
            let exact = [rate * 25 / 1000, rate * 10 / 1000]
            if try geometry(down, at: rate) != exact { wrong.append(rate) }
            let halves = [rate * 25, rate * 10].map { product in
                let (whole, rest) = (product / 1000, product % 1000)
                return whole + (rest > 500 || rest == 500 && whole % 2 == 1 ? 1 : 0)
            }
            if try geometry(even, at: rate) != halves { wrong.append(rate) }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        let missed = try Self.cases().reduce(into: [:]) { $0[$1.original] = $1.missed.count }
        #expect(
            missed == [
                "Kaldi": 89, "kaldi-native-fbank": 0, "HTK": 371, "torchaudio": 0, "lhotse": 0, "SpeechBrain": 286,
            ])
    }

    @Test func `times of other lengths are exact, too, where the product of time and rate is not`() throws {
        for tenths in 1...2000 {
            let span = try #require(SampleSpan(text: "\(Double(tenths) / 10) ms"))
            for rate in [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 192_000] {
                #expect(span.samples(at: Double(rate), rounding: .down) == tenths * rate / 10_000, "\(span) at \(rate)")
                // No half is missed, though the product is not made exact.
                let nearest = (2 * tenths * rate + 10_000) / 20_000
                #expect(span.samples(at: Double(rate), rounding: .nearest) == nearest, "\(span) at \(rate)")
            }
        }
        // 0.145 · 48,000 is 6959.999999999999.
        #expect(SampleSpan.seconds(0.145).samples(at: 48_000, rounding: .down) == 6960)
    }

    @Test func `the default is the nearest whole number, halves up`() throws {
        #expect(FrameConfiguration.standard.rounding == .nearest)
        #expect(SampleSpan.seconds(0.01).samples(at: 22_050, rounding: .nearest) == 221)
        #expect(SampleSpan.seconds(0.01).samples(at: 22_050, rounding: .even) == 220)
        #expect(SampleSpan.seconds(0.01).samples(at: 22_150, rounding: .even) == 222)
        #expect(SampleSpan.seconds(0.01).samples(at: 22_150, rounding: .down) == 221)
        for preset in [Preset.logMel, .spectrogram] {
            #expect(try preset.definition().value["frame"]?["rounding"]?.text == "nearest")
        }
        #expect(try Preset.kaldiFBank.definition().value["frame"]?["rounding"]?.text == "down")
        #expect(throws: ConfigurationError.self) { try configuration(#"{"frame":{"rounding":"up"}}"#) }
    }

    @Test
    func `where the rate is known, samples are stored, with the default rounding and one name for the same frames`()
        throws
    {
        for preset in Preset.allCases {
            let frame = try preset.configuration().value["frame"]
            #expect(frame?["rounding"]?.text == "nearest" && frame?["align"]?.text != "lhotse", "\(preset)")
        }
        let open = try configuration(#"{"audio":{"sample_rate":null},"frame":{"rounding":"down","align":"lhotse"}}"#)
        #expect(open.frame.rounding == .down && open.frame.align == .lhotse)
        let samples = try configuration(
            #"{"audio":{"sample_rate":null},"frame":{"length":400,"hop":160,"rounding":"down","align":"lhotse"}}"#)
        #expect(samples.frame.rounding == .nearest && samples.frame.align == .kaldi)
    }

    @Test func `lhotse's frames are those of Kaldi but where the length is even and the hop odd`() throws {
        for (rate, align) in [(22_050, "kaldi"), (44_100, "lhotse"), (48_000, "kaldi")] {
            let made = try configuration(
                #"{"audio":{"sample_rate":\#(rate)},"frame":{"rounding":"down","align":"lhotse"}}"#)
            #expect(made.frame.align.rawValue == align, "\(rate)")
        }
        #expect(FrameAlignment.lhotse.mirrored(length: 1102, hop: 441) == 330)
        #expect(FrameAlignment.kaldi.mirrored(length: 1102, hop: 441) == 331)
        #expect(FrameAlignment.start.mirrored(length: 1102, hop: 441) == nil)
    }
}
