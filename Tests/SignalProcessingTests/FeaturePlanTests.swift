import FeatureModel
import SignalProcessing
import Testing

@Suite("Feature plan")
struct FeaturePlanTests {
    private func plan(
        _ transform: TransformConfiguration, rate: Double, align: FrameAlignment = .start
    ) throws -> FeaturePlan {
        let configuration = try configuration(
            length: 400, hop: 160, fftLength: 512, align: align, transform: transform)
        return try FeaturePlan(configuration, sampleRate: rate)
    }

    /// The key that a configuration error names; nil where the plan is accepted.
    private func refusedKey(_ transform: TransformConfiguration, rate: Double) throws -> String? {
        do {
            _ = try plan(transform, rate: rate)
            return nil
        } catch ConfigurationError.invalidValue(let key, _, _) {
            return key
        }
    }

    @Test("a band edge above half the sample rate is refused, and one at it is not")
    func edges() throws {
        let high = try MelConfiguration(high: 8000)
        #expect(try refusedKey(.mel(high), rate: 15_999) == "transform.high")
        #expect(try refusedKey(.mel(high), rate: 16_000) == nil)
        let low = try MelConfiguration(low: 4000)
        #expect(try refusedKey(.mel(low), rate: 8000) == "transform.low")
        #expect(try refusedKey(.mel(low), rate: 8001) == nil)
    }

    @Test("more bins than the transform has are refused")
    func tooManyBins() throws {
        #expect(try refusedKey(.fft(bins: 258), rate: 16_000) == "transform.bins")
        #expect(try refusedKey(.fft(bins: 257), rate: 16_000) == nil)
        #expect(try refusedKey(.dct(bins: 513), rate: 16_000) == "transform.bins")
        #expect(try refusedKey(.dct(bins: 512), rate: 16_000) == nil)
    }

    @Test("a frame longer than the transform at the clip's rate is refused")
    func longFrame() throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(length: .seconds(0.025), hop: .seconds(0.01), fftLength: 512),
            transform: .fft(bins: nil), scale: ScaleConfiguration())
        #expect(try FeaturePlan(configuration, sampleRate: 16_000).geometry.length == 400)
        #expect(throws: ConfigurationError.self) { try FeaturePlan(configuration, sampleRate: 44_100) }
    }

    @Test("frequencies of a Fourier transform are k · rate / N")
    func fourierFrequencies() throws {
        let plan = try plan(.fft(bins: nil), rate: 16_000)
        #expect(plan.bins == 257)
        #expect(plan.frequencies == (0..<257).map { Float($0) * 31.25 })
        #expect(try self.plan(.fft(bins: 10), rate: 16_000).frequencies == Array(plan.frequencies[..<10]))
    }

    @Test("frequencies of a cosine transform are k · rate / 2N")
    func cosineFrequencies() throws {
        let plan = try plan(.dct(bins: nil), rate: 16_000)
        #expect(plan.bins == 512)
        #expect(plan.frequencies == (0..<512).map { Float($0) * 15.625 })
    }

    @Test("frequencies of a mel spectrum are the centres of its bands")
    func melFrequencies() throws {
        let plan = try plan(.mel(MelConfiguration(bins: 40, high: 7000)), rate: 16_000)
        let bank = try #require(plan.filterBank)
        #expect(plan.frequencies == bank.centers.map { Float($0) })
        #expect(zip(plan.frequencies, plan.frequencies.dropFirst()).allSatisfy { $0 < $1 })
        #expect(plan.frequencies.allSatisfy { $0 > 0 && $0 < 7000 })
    }

    @Test("frames lie a hop apart; the first is centred on its own middle, or on the first sample")
    func times() throws {
        let started = try plan(.fft(bins: nil), rate: 16_000)
        #expect(started.framePeriod == 0.01)
        #expect(started.firstFrameTime == 0.0125)
        let centred = try plan(.fft(bins: nil), rate: 16_000, align: .center)
        #expect(centred.framePeriod == 0.01)
        #expect(centred.firstFrameTime == 0)
    }

    @Test("warnings name the bands that hold no bin")
    func warnings() throws {
        #expect(try plan(.fft(bins: nil), rate: 16_000).warnings.isEmpty)
        #expect(try plan(.mel(MelConfiguration(bins: 40)), rate: 16_000).warnings.isEmpty)
        let crowded = try plan(.mel(MelConfiguration(bins: 200)), rate: 16_000)
        let empty = try #require(crowded.filterBank).emptyBands
        let first = try #require(empty.first)
        let warning = try #require(crowded.warnings.first)
        #expect(crowded.warnings.count == 1)
        #expect(warning.contains("\(empty.count) bands (the first is \(first)) hold no bin"))
        #expect(warning.contains("transform.bins") && warning.contains("frame.fft_length"))
    }

    @Test("empty bands stand at the floor, and one is named alone", arguments: [(40, 0), (60, 1), (76, 2)])
    func emptyBand(bands: Int, expected: Int) throws {
        let mel = try MelConfiguration(bins: bands, scale: .htk)
        let scale = try ScaleConfiguration(kind: .ln, floor: 1e-10)
        let plan = try FeaturePlan(
            configuration(length: 256, hop: 256, fftLength: 256, transform: .mel(mel), scale: scale),
            sampleRate: 16_000)
        let empty = try #require(plan.filterBank).emptyBands
        try #require(empty.count == expected)
        #expect(plan.warnings.count == min(expected, 1))
        if expected == 1 { #expect(plan.warnings[0].hasPrefix("band \(empty[0]) holds no bin")) }
        var impulse = [Float](repeating: 0, count: 256)
        impulse[0] = 1
        let features = try plan.features(of: impulse)
        for band in 0..<bands {
            let isAtFloor = abs(features[0, band] + 23.025_85) < 1e-4
            #expect(isAtFloor == empty.contains(band), "band \(band)")
        }
    }

    @Test("every preset is accepted at common rates and warns of nothing", arguments: Preset.allCases)
    func presets(preset: Preset) throws {
        let configuration = try preset.configuration()
        var rates: [Double] = [8000, 16_000, 22_050, 44_100, 48_000]
        if let rate = configuration.audio.sampleRate { rates = [Double(rate)] }
        for rate in rates {
            let plan = try FeaturePlan(configuration, sampleRate: rate)
            #expect(plan.warnings.isEmpty)
            #expect(plan.frequencies.count == plan.bins)
            #expect(plan.frequencies.allSatisfy { Double($0) <= rate / 2 })
        }
    }
}
