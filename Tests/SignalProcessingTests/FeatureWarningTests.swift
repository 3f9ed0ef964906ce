import FeatureModel
import Foundation
import Testing

@testable import SignalProcessing

struct FeatureWarningTests {
    private func plan(_ settings: [String: SettingValue]) throws -> FeaturePlan {
        try ConfigurationCase(.logMel, settings).plan()
    }

    /// The numbers that a list such as `0-1, 4` names.
    private func numbers(_ list: Substring) -> [Int] {
        list.split(separator: ",").flatMap { part -> [Int] in
            let ends = part.split(separator: "-").compactMap { Int($0.drop(while: \.isWhitespace)) }
            return ends.count == 2 ? Array(ends[0]...ends[1]) : ends
        }
    }

    @Test(arguments: [200, 256, 400])
    func `the warning names the first bands that hold no bin, and counts the others`(bands: Int) throws {
        let plan = try plan(["transform.bins": .number(Double(bands)), "transform.high": nil])
        let bank = try #require(plan.filterBank)
        // Found from the weights, not taken from the bank's own list (`emptyBands`).
        let empty = (0..<bands).filter { band in
            (0..<bank.spectrumBins).allSatisfy { bank.weight(band: band, bin: $0) == 0 }
        }
        try #require(empty.count > 1)
        let warning = try #require(plan.warnings.first)
        #expect(plan.warnings.count == 1)
        let list = try #require(warning.range(of: " (counted from 0) hold no bin"))
        let named = warning[warning.startIndex..<list.lowerBound].dropFirst("bands ".count)
        let parts = named.components(separatedBy: " and ")
        let first = numbers(Substring(parts[0]))
        #expect(first == Array(empty.prefix(first.count)) && !first.isEmpty, "\(warning)")
        let others = parts.count > 1 ? try #require(Int(parts[1].prefix { $0 != " " })) : 0
        #expect(first.count + others == empty.count, "\(warning)")
        #expect(warning.count < 300, "\(warning)")
        #expect(warning.contains("transform.bins") && warning.contains("frame.fft_length"))
    }

    /// Whether a band of HTK's scale from 20 Hz on has no bin strictly between its edges.
    private func hasEmptyBand(bands: Int, width: Double, high: Double) -> Bool {
        func mel(_ hertz: Double) -> Double { 1127 * log(1 + hertz / 700) }
        func hertz(_ mel: Double) -> Double { 700 * (exp(mel / 1127) - 1) }
        let step = (mel(high) - mel(20)) / Double(bands + 1)
        return (0..<bands).contains { band in
            let (lower, upper) = (hertz(mel(20) + Double(band) * step), hertz(mel(20) + Double(band + 2) * step))
            return (lower / width).rounded(.down) + 1 >= upper / width
        }
    }

    @Test(arguments: [60, 80, 128, 400], [8000.0, 44_100])
    func `the proposal of the warning leaves no band without a bin`(bands: Int, rate: Double) throws {
        func plan(bands: Int, fftLength: Int) throws -> FeaturePlan {
            try FeaturePlan(
                FeatureConfiguration(
                    audio: AudioConfiguration(sampleRate: nil),
                    frame: FrameConfiguration(length: .samples(400), hop: .samples(160), fftLength: fftLength),
                    transform: .mel(MelConfiguration(bins: bands, low: 20, scale: .htk)), scale: ScaleConfiguration()),
                sampleRate: rate)
        }
        guard let warning = try plan(bands: bands, fftLength: 512).warnings.first else {
            #expect(!hasEmptyBand(bands: bands, width: rate / 512, high: rate / 2))
            return
        }
        #expect(hasEmptyBand(bands: bands, width: rate / 512, high: rate / 2))
        func number(after words: String) throws -> Int {
            let range = try #require(warning.range(of: words + " ("), "\(warning)")
            return try #require(Int(warning[range.upperBound...].prefix { $0.isNumber }))
        }
        let fewer = try number(after: "fewer transform.bins")
        let longer = try number(after: "a larger frame.fft_length")
        #expect(fewer < bands && longer > 512)
        #expect(try plan(bands: fewer, fftLength: 512).warnings.isEmpty)
        #expect(try plan(bands: bands, fftLength: longer).warnings.isEmpty)
        // Half that length would not be enough.
        #expect(try !plan(bands: bands, fftLength: longer / 2).warnings.isEmpty)
    }

    @Test func `transforms slower than real time, and lengths at which FFTW is slow, have a warning`() throws {
        func warnings(_ length: Int, hop: Int, _ transform: TransformConfiguration = .fft(bins: nil)) throws -> [String]
        {
            try FeaturePlan(
                FeatureConfiguration(
                    audio: AudioConfiguration(), frame: FrameConfiguration(hop: .samples(hop), fftLength: length),
                    transform: transform, scale: ScaleConfiguration()), sampleRate: 16_000
            ).warnings
        }
        let both = try warnings(1_000_003, hop: 160)
        #expect(
            both.count == 2 && both[0].contains("longer than the sound") && both[1].contains("prime factor 1000003"))
        #expect(both[1].contains("such as 1048576"))
        #expect(try warnings(1_048_576, hop: 160).count == 1)
        #expect(try warnings(1_048_576, hop: 100_000).isEmpty)
        #expect(try warnings(65_537, hop: 16_000).count == 1, "65,537 is a prime")
        #expect(try warnings(65_537, hop: 16_000, .dct(bins: nil, type: .one)).isEmpty, "a DCT-I has 65,536 intervals")
        for length in [512, 521, 4099, 8192, 44_100, 48_000] {
            #expect(try warnings(length, hop: 512).isEmpty, "\(length)")
        }
    }

    @Test func `a run of bands is written as its first and its last`() throws {
        let warning = try #require(
            try plan(["transform": ["kind": "mfcc", "bands": 5, "bins": 3, "low": 100, "high": 130]]).warnings.first)
        #expect(warning.hasPrefix("bands 0-") || warning.hasPrefix("bands 0, "))
        #expect(warning.contains("transform.bands"), "cepstra are made of transform.bands")
    }

    @Test func `there is no warning if every band holds a bin, or the transform has no bands`() throws {
        #expect(try plan(["transform.bins": 40]).warnings.isEmpty)
        for kind in ["fft", "dct"] as [SettingValue] {
            #expect(try plan(["transform": ["kind": kind]]).warnings.isEmpty)
        }
        for preset in [Preset.logMel, .kaldiFBank, .kaldiMFCC, .htkMFCC, .whisper, .liveWaveform] {
            #expect(try ConfigurationCase(preset).plan().warnings.isEmpty, "\(preset)")
        }
    }

    @Test(arguments: [(40, 0), (60, 1), (76, 2)])
    func `empty bands have the floor's value, and one is named in the singular`(bands: Int, expected: Int) throws {
        let mel = try MelConfiguration(bins: bands, scale: .htk)
        let scale = try ScaleConfiguration(kind: .ln, floor: 1e-10)
        let plan = try FeaturePlan(
            configuration(length: 256, hop: 256, fftLength: 256, transform: .mel(mel), scale: scale),
            sampleRate: 16_000)
        let empty = try #require(plan.filterBank).emptyBands
        try #require(empty.count == expected)
        #expect(plan.warnings.count == min(expected, 1))
        if expected == 1 { #expect(plan.warnings[0].hasPrefix("band \(empty[0]) (counted from 0) holds no bin")) }
        var impulse = [Float](repeating: 0, count: 256)
        impulse[0] = 1
        let features = try plan.features(of: impulse)
        for band in 0..<bands {
            let isAtFloor = abs(features[0, band] + 23.025_85) < 1e-4
            #expect(isAtFloor == empty.contains(band), "band \(band)")
        }
    }

    @Test func `a musical axis has a warning if its points are closer together than bins, otherwise none`() throws {
        let plan = try ConfigurationCase(.musicalSpectrum).plan()
        let width = 11_025.0 / 4096
        let crowded = zip(plan.frequencies, plan.frequencies.dropFirst()).filter { Double($1) - Double($0) < width }
        let warning = try #require(plan.warnings.first)
        #expect(plan.warnings.count == 1)
        #expect(warning.hasPrefix("\(crowded.count) of 712 points"), "\(warning)")
        #expect(
            warning.contains("up to \((Double(try #require(crowded.last).0) * 10).rounded() / 10) Hz"), "\(warning)")
        #expect(warning.contains("(2.692 Hz)"))
        let wide = try ConfigurationCase(
            .musicalSpectrum, ["transform.lowest": 400, "transform.notes": 40]
        ).plan()
        #expect(wide.warnings.isEmpty)
    }

    @Test func `a signal that is longer than the features or their model take is warned of, and no shorter one`() throws
    {
        func warnings(_ preset: Preset, _ samples: Int, rate: Int? = nil) throws -> [String] {
            try FeaturePlan(preset.configuration(), sampleRate: preset.usualRate).warnings(ofSignal: samples, at: rate)
        }
        let cut =
            "the signal is longer than the features take (audio.duration or rows.count), and the rest of it is left out"
        let long =
            "perch-2, windows of 5 s: the signal is longer than the model takes at a time, and not cut into such windows"
        for (preset, longest, words) in [(Preset.clap, 480_000, cut), (.perch2, 160_000, long)] {
            #expect(try warnings(preset, longest) == [])
            #expect(try warnings(preset, longest + 1) == ["\(words); give each part as a signal of its own"])
            #expect(try warnings(preset, 0) == [] && warnings(preset, .max).count == 1)
        }
        let short =
            "perch-2, windows of 5 s: the signal is shorter than the model takes at a time, and has too few rows for it"
        #expect(try warnings(.perch2, 159_999) == ["\(short); audio.minimum: 5 appends zeros"])
        #expect(try warnings(.clap, 960_000, rate: 96_000) == [] && warnings(.clap, 960_001, rate: 96_000).count == 1)
    }

    @Test func `a signal of a lower rate lacks what is above half of it, also where samples are the features`() throws {
        func warnings(_ preset: Preset, rate: Int) throws -> [String] {
            try FeaturePlan(preset.configuration(), sampleRate: 16_000).warnings(ofSignal: 8000, at: rate)
        }
        let start = "the signal has a lower sample rate than the features (16000 Hz), 8000 Hz: its "
        let end =
            "; the model of %@ expects 16000 Hz: use originals of that rate if there are any"
        for (preset, lack) in [
            (Preset.whisper, "bins above 4000 Hz hold nothing"), (.wav2vec2, "samples hold nothing above 4000 Hz"),
        ] {
            #expect(
                try warnings(preset, rate: 8000) == [start + lack + end.replacing("%@", with: preset.rawValue)])
            #expect(try warnings(preset, rate: 16_000) == [] && warnings(preset, rate: 48_000) == [])
            // A configuration in full, of which nothing says that it is a preset's.
            let plan = try FeaturePlan(preset.configuration(), sampleRate: 16_000)
            let limits = FeatureLimits(plan.configuration)
            #expect(
                plan.warnings(ofSignal: 8000, at: 8000, limits, model: nil) == plan.warnings(ofSignal: 8000, at: 8000))
        }
        // The highest band ends at 3800 Hz.
        #expect(try warnings(.openWakeWord, rate: 8000) == [])
        let rateAlone = "set audio.sample_rate to that rate"
        for (preset, settings, advice) in [
            (Preset.logMel, [:], "\(rateAlone), and transform.high to half of it at most"),
            (.scrollingDCT, ["audio.sample_rate": 16_000], rateAlone),
            (.musicalSpectrum, [:], "\(rateAlone), and make transform.notes as few as are below half of it"),
        ] as [(Preset, [String: SettingValue], String)] {
            let plan = try ConfigurationCase(preset, settings).plan()
            #expect(plan.warnings(ofSignal: 8000, at: 8000).first?.components(separatedBy: "; ").last == advice)
        }
    }
}
