import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Resampling

struct ResamplerTests {
    /// Everything that comes out, where the signal goes in by pieces of `piece` samples.
    private func output(_ resampler: Resampler, _ samples: [Float], piece: Int) throws -> [Float] {
        var result: [Float] = []
        func keep(_ samples: UnsafeBufferPointer<Float>) throws(ClipFailure) { result += samples }
        try samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: piece) {
                let part = UnsafeBufferPointer(rebasing: samples[start..<min(start + piece, samples.count)])
                try resampler.push(part, receive: keep)
            }
            try resampler.finish(receive: keep)
        }
        return result
    }

    private func resampled(_ samples: [Float], _ input: Int, _ output: Int, piece: Int = 65_536) throws -> [Float] {
        try self.output(try Resampler(from: input, to: output), samples, piece: piece)
    }

    private static let rates = [(8000, 16_000), (44_100, 16_000), (16_000, 22_050), (16_000, 8000), (96_000, 16_000)]

    @Test(arguments: rates)
    func `the output does not depend on how the signal is cut`(input: Int, output: Int) throws {
        var random = RandomSource(seed: 5)
        let samples = random.samples(30_011)
        let whole = try resampled(samples, input, output, piece: samples.count)
        for piece in [1, 7, 160, 4096, 65_536] {
            #expect(try resampled(samples, input, output, piece: piece) == whole, "\(piece)")
        }
    }

    @Test(arguments: rates)
    func `the number of samples follows the ratio`(input: Int, output: Int) throws {
        for count in [1, 2, 100, 999, 20_000, 44_100] {
            let exact = Double(count) * Double(output) / Double(input)
            let found = try resampled(Array(repeating: 0.5, count: count), input, output).count
            #expect(abs(Double(found) - exact) <= 1, "\(count): \(found) instead of \(exact)")
        }
        #expect(try resampled([], input, output).isEmpty)
    }

    @Test(arguments: rates)
    func `after the end, and after a reset, it is as new`(input: Int, output: Int) throws {
        var random = RandomSource(seed: 6)
        let (one, other) = (random.samples(5000), random.samples(7000))
        let expected = try resampled(other, input, output)
        let resampler = try Resampler(from: input, to: output)
        _ = try self.output(resampler, one, piece: 512)
        #expect(try self.output(resampler, other, piece: 512) == expected)
        try one.withUnsafeBufferPointer { try resampler.push($0) { _ in } }
        resampler.reset()
        #expect(try self.output(resampler, other, piece: 512) == expected)
    }

    @Test(arguments: rates)
    func `a sine remains the same sine, to 90 dB`(input: Int, output: Int) throws {
        for frequency in [100.0, 997, 3000] {
            func wave(_ rate: Int, _ index: Int) -> Double {
                0.5 * sin(2 * Double.pi * frequency * Double(index) / Double(rate))
            }
            let found = try resampled((0..<2 * input).map { Float(wave(input, $0)) }, input, output)
            var (signal, noise) = (0.0, 0.0)
            for index in found.count / 4..<3 * found.count / 4 {
                let expected = wave(output, index)
                signal += expected * expected
                noise += (Double(found[index]) - expected) * (Double(found[index]) - expected)
            }
            let ratio = 10 * log10(signal / max(noise, 1e-300))
            #expect(ratio > 90, "\(frequency) Hz: \(ratio) dB")
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
        ])
    func `extreme pairs of rates are refused, or done soon`(input: Int, output: Int) throws {
        do {
            let count = output / input > 100 ? 20 : 20_000
            let found = try resampled(Array(repeating: 0.5, count: count), input, output, piece: 1000)
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
