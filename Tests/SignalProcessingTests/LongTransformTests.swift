import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// The longest transforms: by passes, and by convolutions of millions of numbers.
struct LongTransformTests {
    /// X[k] of a row, with exact angles: e^(−2πikn/N) of n = a · 2048 + b is that of a · 2048 times that of b.
    private func direct(_ row: [Float], _ k: Int) -> (real: Double, imaginary: Double) {
        let (length, part) = (row.count, 2048)
        func point(_ n: Int) -> (LongDouble, LongDouble) {
            let angle = 2 * LongDouble.pi * LongDouble(n * k % length) / LongDouble(length)
            return (cos(angle), -sin(angle))
        }
        let points = (0..<part).map(point)
        let (cosines, sines) = (points.map(\.0), points.map(\.1))
        var (real, imaginary): (LongDouble, LongDouble) = (0, 0)
        for start in stride(from: 0, to: length, by: part) {
            var (x, y): (LongDouble, LongDouble) = (0, 0)
            for b in 0..<min(part, length - start) {
                let sample = LongDouble(row[start + b])
                x += sample * cosines[b]
                y += sample * sines[b]
            }
            let (cosine, sine) = point(start)
            real += x * cosine - y * sine
            imaginary += x * sine + y * cosine
        }
        return (Double(real), Double(imaginary))
    }

    /// 2²², and the greatest prime before it.
    @Test(.serialized, arguments: [4_194_304, 4_194_301])
    func `spectra near the maximum length are exact to 1e-15 of the greatest amplitude`(length: Int) throws {
        var random = RandomSource(seed: UInt64(length))
        let row = random.samples(length)
        let bins = [0, 1, length / 4, length / 2] + (0..<3).map { _ in Int.random(in: 2..<length / 2, using: &random) }
        let (found, greatest, energy) = try spectrum(row, at: bins)
        for (bin, value) in zip(bins, found) {
            let expected = direct(row, bin)
            let error = max(abs(value.real - expected.real), abs(value.imaginary - expected.imaginary))
            #expect(error <= 1e-15 * greatest, "bin \(bin): \(error / greatest)")
        }
        // All other bins, by Parseval's theorem.
        // In pieces: added one by one, squares of 48 bits are rounded with a bias that 4 million of them show.
        let sums = stride(from: 0, to: length, by: 2048).map { start in
            row[start..<min(start + 2048, length)].reduce(LongDouble(0)) { $0 + LongDouble($1) * LongDouble($1) }
        }
        let sum = LongDouble(length) * sums.reduce(0, +)
        #expect(abs(energy - sum) <= 1e-14 * sum, "\(energy / sum - 1)")
    }

    /// Some bins of a row's spectrum, the greatest amplitude, and the sum of the powers of all N bins.
    private func spectrum(
        _ row: [Float], at bins: [Int]
    ) throws -> (bins: [(real: Double, imaginary: Double)], greatest: Double, energy: LongDouble) {
        let fourier = try LaneFFT(length: row.count)
        let loader = try fourier.loader(.rectangle(row.count, factor: fourier.inputFactor))
        let (first, second) = (try fourier.buffer(count: fourier.bins), try fourier.buffer(count: fourier.bins))
        try frameRun([row]) { fourier.transform($0, by: loader) }
        fourier.spectra(real: first, imaginary: second)
        let lanes = fourier.groupLanes
        let found = bins.map { (first.pointer[$0 * lanes], second.pointer[$0 * lanes]) }
        fourier.powers(into: first)
        var (greatest, energy): (Double, LongDouble) = (0, 0)
        for bin in 0..<fourier.bins {
            let power = first.pointer[bin * lanes]
            greatest = max(greatest, power)
            // Every bin but the first, and the last of an even length, has a mirror image.
            energy += LongDouble(bin == 0 || 2 * bin == row.count ? power : 2 * power)
        }
        return (found, greatest.squareRoot(), energy)
    }
}
