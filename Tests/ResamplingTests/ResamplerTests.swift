import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Resampling

struct ResamplerTests {
    private func resampled(
        _ samples: [Float], _ input: Int, _ output: Int, piece: Int = 65_536, by method: ResamplingMethod = .soxrHQ
    ) throws -> [Float] {
        try Resampler(from: input, to: output, by: method).output(samples, piece: piece)
    }

    private static let methods = ResamplingMethod.allCases
    private static let rates = [(8000, 16_000), (44_100, 16_000), (16_000, 22_050), (16_000, 8000), (96_000, 16_000)]

    @Test(arguments: rates, methods)
    func `the output does not depend on how the signal is cut`(rates: (Int, Int), method: ResamplingMethod) throws {
        var random = RandomSource(seed: 5)
        let samples = random.samples(30_011)
        let whole = try resampled(samples, rates.0, rates.1, piece: samples.count, by: method)
        for piece in [1, 7, 160, 4096, 65_536] {
            #expect(try resampled(samples, rates.0, rates.1, piece: piece, by: method) == whole, "\(piece)")
        }
    }

    @Test(arguments: rates, methods)
    func `the number of samples follows the ratio, rounded as the original rounds it`(
        rates: (Int, Int), method: ResamplingMethod
    ) throws {
        let (input, output) = rates
        for count in [1, 2, 100, 999, 20_000, 44_100] {
            let exact = Double(count) * Double(output) / Double(input)
            guard exact >= 1 || method != .kaiserBest && method != .kaiserFast else { continue }
            let found = Double(try resampled(Array(repeating: 0.5, count: count), input, output, by: method).count)
            switch method {
            case .torchaudio, .polyphase: #expect(found == exact.rounded(.up), "\(count)")
            case .kaiserBest, .kaiserFast: #expect(found == exact.rounded(.down), "\(count)")
            case .soxrHQ, .soxrVHQ, .soxrMQ: #expect(abs(found - exact) <= 1, "\(count): \(found), not \(exact)")
            }
        }
        #expect(try resampled([], input, output, by: method).isEmpty)
    }

    @Test(arguments: rates, methods)
    func `after the end, and after a reset, it is as new`(rates: (Int, Int), method: ResamplingMethod) throws {
        let (input, output) = rates
        var random = RandomSource(seed: 6)
        let (one, other) = (random.samples(5000), random.samples(7000))
        let expected = try resampled(other, input, output, by: method)
        let resampler = try Resampler(from: input, to: output, by: method)
        _ = try resampler.output(one, piece: 512)
        #expect(try resampler.output(other, piece: 512) == expected)
        try one.withUnsafeBufferPointer { try resampler.push($0) { _ in } }
        resampler.reset()
        #expect(try resampler.output(other, piece: 512) == expected)
    }

    /// Decibels of signal over noise that a method reaches below 3 kHz between these rates.
    private static let quality: [(ResamplingMethod, Double)] = [
        (.soxrHQ, 90), (.soxrVHQ, 120), (.soxrMQ, 85), (.torchaudio, 30), (.kaiserBest, 70), (.kaiserFast, 45),
        (.polyphase, 35),
    ]

    @Test(arguments: rates, quality)
    func `a sine remains the same sine`(rates: (Int, Int), method: (ResamplingMethod, Double)) throws {
        let (input, output) = rates
        for frequency in [100.0, 997, 3000] {
            func wave(_ rate: Int, _ index: Int) -> Double {
                0.5 * sin(2 * Double.pi * frequency * Double(index) / Double(rate))
            }
            let found = try resampled(
                (0..<2 * input).map { Float(wave(input, $0)) }, input, output, by: method.0)
            var (signal, noise) = (0.0, 0.0)
            for index in found.count / 4..<3 * found.count / 4 {
                let expected = wave(output, index)
                signal += expected * expected
                noise += (Double(found[index]) - expected) * (Double(found[index]) - expected)
            }
            let ratio = 10 * log10(signal / max(noise, 1e-300))
            #expect(ratio > method.1, "\(frequency) Hz: \(ratio) dB")
        }
    }

    @Test func `frequencies above half the new rate are removed`() throws {
        let samples = (0..<44_100).map { Float(sin(2 * Double.pi * 12_000 * Double($0) / 44_100)) }
        let found = try resampled(samples, 44_100, 16_000)
        #expect(found[2000..<14_000].allSatisfy { abs($0) < 1e-4 })
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (1, 2), (1, 16_000), (16_000, 1), (2_147_483_647, 16_000), (10_000_000, 1), (8000, 10_000_000),
            (15_999, 16_000),
            (300_000, 16_000), (9_999_991, 9_999_973),
        ], methods)
    func `extreme pairs of rates are refused, or done soon`(rates: (Int, Int), method: ResamplingMethod) throws {
        let (input, output) = rates
        do {
            let count = output / input > 100 ? 20 : 20_000
            let found = try resampled(Array(repeating: 0.5, count: count), input, output, piece: 1000, by: method)
            let exact = Double(count) * Double(output) / Double(input)
            #expect(abs(Double(found.count) - exact) <= 1, "\(found.count) instead of \(exact)")
            #expect(found.allSatisfy { $0.isFinite && abs($0) < 2 })
        } catch let failure as ClipFailure {
            switch failure {
            case .ratesTooFarApart(input, output), .cannotResample(input, output, _): break
            default: Issue.record("\(failure)")
            }
        }
    }
}
