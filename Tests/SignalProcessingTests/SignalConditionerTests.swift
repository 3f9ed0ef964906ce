import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

struct SignalConditionerTests {
    private func plan(
        removeDC: Bool = false, preEmphasis: Double = 0, length: Int? = nil
    ) throws -> FeaturePlan {
        try ConfigurationCase(
            .logMel,
            [
                // A duration has to hold a frame.
                "frame.length": 1,
                "condition": ["remove_dc": .flag(removeDC), "pre_emphasis": .number(preEmphasis)],
                "audio.duration": length.map { .number(Double($0) / 16_000) } ?? .null,
            ]
        ).plan()
    }

    private func conditioned(_ signal: [Float], _ plan: FeaturePlan, pieces: [Int]) throws -> [Float] {
        let conditioner = try SignalConditioner(plan)
        var survey = SignalSurvey(plan)
        inPieces(signal, pieces) { survey.push($0) }
        var values: [Float] = []
        // What was before must not be remembered.
        for round in 0..<2 {
            values = []
            conditioner.start(survey.level)
            inPieces(signal, pieces) { conditioner.push($0) { values.append(contentsOf: $0) } }
            if round == 0, signal.count > 1 { continue }
            conditioner.finish { values.append(contentsOf: $0) }
        }
        return values
    }

    @Test func `crop, mean, pre-emphasis and padding with zeros, in that order, however the signal is cut`() throws {
        var random = RandomSource(seed: 351)
        for count in [0, 1, 2, 100, 4096, 9001] {
            let signal = random.samples(count).map { $0 * 0.5 + 0.25 }
            for length in [nil, 1, 50, 4097, 9001, 20_000] {
                for removeDC in [false, true] {
                    for preEmphasis in [0, 0.97, 1] as [Double] {
                        let plan = try plan(removeDC: removeDC, preEmphasis: preEmphasis, length: length)
                        #expect(plan.fixedLength == length)
                        let kept = signal.prefix(length ?? count).map(Double.init)
                        let mean = removeDC && !kept.isEmpty ? kept.reduce(0, +) / Double(kept.count) : 0
                        let centred = kept.map { $0 - mean }
                        // The first sample is not changed; the padding is not conditioned.
                        let expected =
                            zip(centred, [0] + centred).map { $0 - preEmphasis * $1 }
                            + Array(repeating: 0, count: max((length ?? count) - kept.count, 0))
                        for pieces in [[Int.max], [4095], count < 200 ? [1] : [777]] {
                            let found = try conditioned(signal, plan, pieces: pieces)
                            #expect(
                                largestDifference(found, expected) <= 2e-7, "\(count) samples to \(length ?? -1)")
                        }
                    }
                }
            }
        }
    }

    @Test func `the mean is that of what is kept of a signal, in double precision, however it is cut`() throws {
        var random = RandomSource(seed: 352)
        let signal = random.samples(10_000).map { $0 * 1e-3 + 0.9 }
        for length in [nil, 1, 5000, 20_000] {
            let plan = try plan(removeDC: true, length: length)
            let kept = signal.prefix(length ?? signal.count)
            let expected = kept.reduce(0) { $0 + Double($1) } / Double(kept.count)
            for pieces in [[Int.max], [1], [4096, 3]] {
                var survey = SignalSurvey(plan)
                inPieces(signal, pieces) { survey.push($0) }
                guard case .centred(let mean) = survey.level.change else {
                    Issue.record("\(survey.level)")
                    continue
                }
                #expect(abs(Double(mean) - expected) <= 1e-7)
            }
        }
        #expect(SignalSurvey(try plan(removeDC: true)).level == .none)
    }

    @Test(arguments: [false, true])
    func `gains follow their formulas over what is kept of a signal, however it is cut`(removeDC: Bool) throws {
        var random = RandomSource(seed: 353)
        let signal = random.samples(9000).map { $0 * 0.1 + 0.05 } + [Float](repeating: 3, count: 1000)
        let gains: [GainConfiguration] = [
            .none, .peak(level: 1), .peak(level: 0.25), .minmax(epsilon: 0), .minmax(epsilon: 0.125),
            .zscore(epsilon: 0), .zscore(epsilon: 0.0625), .rms(epsilon: 0), .rms(epsilon: 0.5), .int16,
            .clamp(level: 1), .clamp(level: 0.0625),
        ]
        for gain in gains {
            for length in [nil, 9000, 20_000] {
                let condition = try ConditionConfiguration(removeDC: removeDC, gain: gain)
                let plan = try FeaturePlan(
                    FeatureConfiguration(
                        audio: AudioConfiguration(duration: length.map { Double($0) / 16_000 }), condition: condition,
                        frame: FrameConfiguration(length: .samples(1), hop: .samples(1), fftLength: 1),
                        transform: .fft(bins: 1), scale: ScaleConfiguration(kind: .power)), sampleRate: 16_000)
                let kept = signal.prefix(length ?? signal.count).map(Double.init)
                let mean = kept.reduce(0, +) / Double(kept.count)
                let x = removeDC ? kept.map { $0 - mean } : kept
                let power = x.reduce(0) { $0 + $1 * $1 } / Double(x.count)
                let spread = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.count)
                let (low, high) = (x.min() ?? 0, x.max() ?? 0)
                let expected =
                    switch gain {
                    case .none: x
                    case .peak(let level): x.map { $0 * level / max(high, -low) }
                    case .minmax(let epsilon): x.map { 2 * (($0 - low) / (high - low + epsilon) - 0.5) }
                    case .zscore(let epsilon): kept.map { ($0 - mean) / (spread + epsilon).squareRoot() }
                    case .rms(let epsilon): x.map { $0 / (power.squareRoot() + epsilon) }
                    case .int16: x.map { (32_767 * min(max($0, -1), 1)).rounded(.towardZero) / 32_767 }
                    case .clamp(let level): x.map { min(max($0, -level), level) }
                    }
                let whole = try conditioned(signal, plan, pieces: [.max])
                #expect(try conditioned(signal, plan, pieces: [1, 700, 5]) == whole)
                // A sample on the edge of a step may fall to either side of it.
                let step = gain == .int16 && removeDC ? 1.0 / 32_767 : 0
                let wrong = zip(expected, whole).filter { abs($0 - Double($1)) > 3e-7 * max(1, abs($0)) + step }
                #expect(wrong.isEmpty, "\(gain), \(length ?? 0): \(wrong.first ?? (0, 0))")
                #expect(whole.count == length ?? signal.count)
            }
        }
    }

    @Test(arguments: [ClipFit.repeat, .repeatPad])
    func `a clip that is repeated has nothing of the clip before`(fit: ClipFit) throws {
        var random = RandomSource(seed: 354)
        let noise = random.samples(9000).map { $0 * 0.2 + 0.3 }
        // Its mean is 0, so that there is nothing to subtract from it.
        let silence = [Float](repeating: 0, count: 9000)
        let plan = try ConfigurationCase(
            .logMel,
            [
                "audio.duration": 1.25, "audio.fit": .text(fit.rawValue), "condition.remove_dc": .flag(true),
                "scale.floor": 1e-30, "normalize.scope": "none",
            ]
        ).plan()
        let stream = try ClipStream(plan)
        func features(_ signal: [Float]) throws -> [Float] {
            var survey = SignalSurvey(plan)
            while survey.needsPass {
                signal.withUnsafeBufferPointer { survey.push($0) }
                survey.endPass()
            }
            stream.start(survey.level)
            var values: [Float] = []
            signal.withUnsafeBufferPointer { stream.push($0) { values += $0 } }
            #expect(try stream.finish { values += $0 })
            return values
        }
        let alone = try features(silence)
        _ = try features(noise)
        #expect(try features(silence) == alone)
        // The plan keeps a stream of its own.
        _ = try plan.features(of: noise)
        #expect(try plan.features(of: silence).values == alone)
    }

    @Test func `silence stays finite under every gain`() throws {
        for gain in [.peak(level: 1), .minmax(epsilon: 0), .zscore(epsilon: 0), .rms(epsilon: 0), .int16]
            as [GainConfiguration]
        {
            let condition = try ConditionConfiguration(gain: gain)
            let plan = try FeaturePlan(
                FeatureConfiguration(
                    audio: .standard, condition: condition,
                    frame: FrameConfiguration(length: .samples(1), hop: .samples(1), fftLength: 1),
                    transform: .fft(bins: 1), scale: ScaleConfiguration(kind: .power)), sampleRate: 16_000)
            let found = try conditioned([Float](repeating: 0, count: 50), plan, pieces: [7])
            let expected: Float = if case .minmax = gain { -1 } else { 0 }
            #expect(found == [Float](repeating: expected, count: 50), "\(gain)")
        }
    }
}
