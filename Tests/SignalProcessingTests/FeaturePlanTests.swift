import FeatureModel
import SignalProcessing
import Testing

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

    @Test func `a band edge above half the sample rate is refused, and one at it is not`() throws {
        let high = try MelConfiguration(high: 8000)
        #expect(try refusedKey(.mel(high), rate: 15_999) == "transform.high")
        #expect(try refusedKey(.mel(high), rate: 16_000) == nil)
        let low = try MelConfiguration(low: 4000)
        #expect(try refusedKey(.mel(low), rate: 8000) == "transform.low")
        #expect(try refusedKey(.mel(low), rate: 8001) == nil)
    }

    @Test func `more bins than the transform has are refused`() throws {
        #expect(try refusedKey(.fft(bins: 258), rate: 16_000) == "transform.bins")
        #expect(try refusedKey(.fft(bins: 257), rate: 16_000) == nil)
        #expect(try refusedKey(.dct(bins: 513), rate: 16_000) == "transform.bins")
        #expect(try refusedKey(.dct(bins: 512), rate: 16_000) == nil)
    }

    @Test func `a frame longer than the transform at the clip's rate is refused`() throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(length: .seconds(0.025), hop: .seconds(0.01), fftLength: 512),
            transform: .fft(bins: nil), scale: ScaleConfiguration())
        #expect(try FeaturePlan(configuration, sampleRate: 16_000).geometry.length == 400)
        #expect(throws: ConfigurationError.self) { try FeaturePlan(configuration, sampleRate: 44_100) }
    }

    @Test func `frequencies of a Fourier transform are k · rate / N`() throws {
        let plan = try plan(.fft(bins: nil), rate: 16_000)
        #expect(plan.bins == 257)
        #expect(plan.frequencies == (0..<257).map { Float($0) * 31.25 })
        #expect(try self.plan(.fft(bins: 10), rate: 16_000).frequencies == Array(plan.frequencies[..<10]))
    }

    @Test func `frequencies of a cosine transform are k · rate / 2N`() throws {
        let plan = try plan(.dct(bins: nil), rate: 16_000)
        #expect(plan.bins == 512)
        #expect(plan.frequencies == (0..<512).map { Float($0) * 15.625 })
    }

    @Test func `frequencies of a mel spectrum are the centres of its bands`() throws {
        let plan = try plan(.mel(MelConfiguration(bins: 40, high: 7000)), rate: 16_000)
        let bank = try #require(plan.filterBank)
        #expect(plan.frequencies == bank.centers.map { Float($0) })
        #expect(zip(plan.frequencies, plan.frequencies.dropFirst()).allSatisfy { $0 < $1 })
        #expect(plan.frequencies.allSatisfy { $0 > 0 && $0 < 7000 })
    }

    @Test func `frames lie a hop apart; the first is centred on its own middle, or on the first sample`() throws {
        let started = try plan(.fft(bins: nil), rate: 16_000)
        #expect(started.framePeriod == 0.01)
        #expect(started.firstFrameTime == 0.0125)
        let centred = try plan(.fft(bins: nil), rate: 16_000, align: .center)
        #expect(centred.framePeriod == 0.01)
        #expect(centred.firstFrameTime == 0)
    }

    @Test func `a row of a stream that waits for the clip's peak has the bands, and the energy behind them`() throws {
        #expect(try ConfigurationCase(.kaldiMFCC).plan().streamedBins == 24)
        #expect(try ConfigurationCase(.kaldiMFCC).plan().bins == 13)
        #expect(try ConfigurationCase(.htkMFCC).plan().streamedBins == 23)
        #expect(try ConfigurationCase(.htkMFCC).plan().bins == 39)
        #expect(try ConfigurationCase(.whisper, ["transform.deltas": 2]).plan().streamedBins == 80)
        #expect(try ConfigurationCase(.whisper, ["transform.deltas": 2]).plan().bins == 240)
        let complex = try ConfigurationCase(.logMel, ["transform": ["kind": "fft"], "scale.kind": "complex"]).plan()
        #expect(complex.streamedBins == 514 && complex.bins == 514)
    }

    @Test func `plans that need the whole clip say so, and no others do`() throws {
        for preset in Preset.allCases {
            let (plan, own) = (try ConfigurationCase(preset).plan(), try preset.configuration())
            let usesLevels = own.condition.removeDC || ![.none, .int16].contains(own.condition.gain)
            #expect(plan.needsWholeClip == (own.scale.topDB != nil), "\(preset)")
            #expect(plan.needsSurvey == usesLevels, "\(preset)")
            #expect((plan.fixedLength != nil) == (own.audio.duration != nil))
            // A frame's mean is not the clip's.
            #expect(try ConfigurationCase(preset, ["frame.remove_dc": true]).plan().needsSurvey == usesLevels)
            #expect(try ConfigurationCase(preset, ["condition.remove_dc": true]).plan().needsSurvey)
        }
    }

    @Test func `a duration fixes the number of frames, whatever the clip's length`() throws {
        let plan = try ConfigurationCase(.whisper, ["audio.duration": 30]).plan()
        #expect(plan.fixedLength == 480_000)
        for samples in [1, 479_999, 480_000, 480_001, 5_000_000] {
            #expect(plan.frameCount(samples: samples) == 3000)
        }
    }

    @Test func `a duration that is not a whole number of samples is rounded to the nearest, a half up`() throws {
        // At a rate that is a power of two a half is exact.
        for (samples, expected) in [
            (400.49, 400), (400.5, 401), (400.51, 401), (400.99, 401), (401.25, 401), (0.5, 1),
        ] {
            let configuration = try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil, duration: samples / 8192),
                frame: FrameConfiguration(
                    length: .samples(1), hop: .samples(1), fftLength: 1, window: .rectangular),
                transform: .fft(bins: nil), scale: ScaleConfiguration(kind: .power))
            let plan = try FeaturePlan(configuration, sampleRate: 8192)
            #expect(plan.fixedLength == expected, "\(samples)")
            for count in [1, 300, 1000] {
                // A spectrum of one sample is the sample: cropped, or followed by zeros.
                let values = try plan.features(of: [Float](repeating: 2, count: count)).values
                #expect(values == (0..<expected).map { $0 < count ? 4 : 0 }, "\(samples), \(count) samples")
            }
        }
    }

    @Test func `a duration of less than a frame is refused, and one of a frame is not`() throws {
        for (preset, key, maximum) in [
            (Preset.logMel, "audio.duration", 399), (.kaldiFBank, "audio.duration", 399),
            (.whisper, "audio.duration", 159),
        ] {
            let short = try ConfigurationCase(preset, [key: .number(Double(maximum) / 16_000)])
            let error = #expect(throws: ConfigurationError.self) { try short.plan() }
            guard case .invalidValue("audio.duration", _, let expected)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(expected.hasPrefix("null or at least one frame: \(maximum + 1)"))
            let plan = try ConfigurationCase(preset, [key: .number(Double(maximum + 1) / 16_000)]).plan()
            #expect(plan.frameCount(samples: 5) == 1)
        }
    }

    @Test(arguments: Preset.allCases)
    func `what is not a sample rate is refused by its own key`(preset: Preset) throws {
        let configuration = try preset.configuration()
        for rate in [0, -1, 0.5, 10_000_001, 1e300, .infinity, -.infinity, .nan] {
            let error = #expect(throws: ConfigurationError.self) { try FeaturePlan(configuration, sampleRate: rate) }
            guard case .invalidValue("audio.sample_rate", _, "1 to 10000000 Hz")? = error else {
                Issue.record("\(rate): \(String(describing: error))")
                continue
            }
        }
    }

    @Test func `in the fixed layout a duration crops, and does not make frames of what is not there`() throws {
        let plan = try ConfigurationCase(.logMel, ["audio.duration": 1, "store.layout": "fixed"]).plan()
        #expect(plan.fixedLength == 16_000 && plan.fixedFrameCount == 98 && plan.fit == nil)
        for (samples, frames) in [(399, 0), (400, 1), (8000, 48), (16_000, 98), (16_001, 98), (5_000_000, 98)] {
            #expect(plan.frameCount(samples: samples) == frames)
        }
        for samples in [400, 8000, 20_000] {
            let signal = (0..<samples).map { Float($0 % 7) / 8 }
            #expect(try plan.features(of: signal).rows == plan.frameCount(samples: samples))
        }
        #expect(throws: ConfigurationError.self) {
            try ConfigurationCase(.logMel, ["audio.duration": 0.02, "store.layout": "fixed"]).plan()
        }
    }

    @Test func `the middle of frame 0 with Kaldi's mirrored edges lies half a hop in, as the source has it`() throws {
        let plan = try ConfigurationCase(.kaldiFBank, ["frame.align": "kaldi"]).plan()
        #expect(abs(plan.firstFrameTime - 80.0 / 16_000) < 1e-12)
        #expect(plan.framePeriod == 0.01)
    }

    @Test(arguments: Preset.allCases)
    func `every preset is accepted at common rates`(preset: Preset) throws {
        let configuration = try preset.configuration()
        var rates: [Double] = [8000, 16_000, 22_050, 44_100, 48_000]
        if let rate = configuration.audio.sampleRate { rates = [Double(rate)] }
        for rate in rates {
            let plan = try FeaturePlan(configuration, sampleRate: rate)
            #expect(plan.axis.values.count == plan.bins)
            // Samples have no frequency.
            #expect((plan.highestFrequency > 0) == (configuration.transform != .raw))
            #expect(plan.highestFrequency <= rate / 2)
        }
    }
}
