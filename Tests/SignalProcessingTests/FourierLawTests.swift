import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// Laws of the Fourier transform, at every length of `transformLengths`.
struct FourierLawTests {
    @Test func `the spectrum equals the direct sum`() throws {
        var random = RandomSource(seed: 1)
        for length in transformLengths {
            let row = random.samples(length)
            let expected = DirectSum.fourier(row)
            let spectrum = try Spectrum.of(row)
            let error = relativeError(spectrum.real + spectrum.imaginary, expected.real + expected.imaginary)
            #expect(error <= 1e-6, "length \(length)")
            let power = zip(expected.real, expected.imaginary).map { $0 * $0 + $1 * $1 }
            #expect(relativeError(spectrum.power, power) <= 1e-6, "length \(length)")
        }
    }

    @Test func `power obeys Parseval's theorem`() throws {
        var random = RandomSource(seed: 2)
        for length in transformLengths {
            let row = random.samples(length)
            let power = try Spectrum.of(row).power
            // Bins other than 0 Hz and the Nyquist frequency stand for two of the full transform's.
            let total = power.enumerated().reduce(0.0) { sum, bin in
                sum + Double(bin.element) * (bin.offset == 0 || 2 * bin.offset == length ? 1 : 2)
            }
            let energy = row.reduce(0) { $0 + Double($1) * Double($1) }
            #expect(abs(total / Double(length) - energy) <= 1e-6 * energy, "length \(length)")
        }
    }

    @Test func `the spectrum of a sum is the sum of the spectra`() throws {
        var random = RandomSource(seed: 3)
        for length in transformLengths {
            let (first, second) = (random.samples(length), random.samples(length))
            let mixed = zip(first, second).map { 0.5 * $0 - 0.25 * $1 }
            let spectra = try Spectrum.ofRows([first, second, mixed], length: length)
            let parts = spectra.map { $0.real + $0.imaginary }
            let expected = zip(parts[0], parts[1]).map { 0.5 * Double($0) - 0.25 * Double($1) }
            #expect(relativeError(parts[2], expected) <= 1e-6, "length \(length)")
        }
    }

    @Test func `the spectrum of an impulse is flat, wherever the impulse is`() throws {
        var random = RandomSource(seed: 4)
        for length in transformLengths {
            var row = [Float](repeating: 0, count: length)
            row[Int.random(in: 0..<length, using: &random)] = 1
            let spectrum = try Spectrum.of(row)
            for bin in spectrum.power.indices {
                let (real, imaginary) = (Double(spectrum.real[bin]), Double(spectrum.imaginary[bin]))
                #expect(abs((real * real + imaginary * imaginary).squareRoot() - 1) <= 1e-6, "length \(length)")
                // An error of the magnitude is twice as large in the power.
                #expect(abs(spectrum.power[bin] - 1) <= 2e-6, "length \(length)")
            }
        }
    }

    @Test func `a cosine at the middle of a bin fills that bin alone`() throws {
        for length in transformLengths where length >= 3 {
            let bin = max(1, length / 3)
            let row = (0..<length).map { n in
                Float(cos(2 * .pi * Double(n * bin % length) / Double(length)))
            }
            var expected = [Double](repeating: 0, count: length / 2 + 1)
            expected[bin] = Double(length) / 2
            #expect(relativeError(try Spectrum.of(row).real, expected) <= 1e-6, "length \(length)")
        }
    }

    @Test func `the imaginary part is 0 at 0 Hz and at the Nyquist frequency`() throws {
        var random = RandomSource(seed: 5)
        for length in transformLengths {
            let imaginary = try Spectrum.of(random.samples(length)).imaginary
            #expect(imaginary[0] == 0)
            if length.isMultiple(of: 2) { #expect(imaginary[length / 2] == 0, "length \(length)") }
        }
    }
}
