import CKernels
import TestSupport
import Testing

@testable import SignalProcessing

/// The loops in C, of every set that this processor can run, against the same operations written out.
struct KernelTests {
    private let sets: [(name: String, loops: veery_kernels)] = (0..<4).compactMap { index in
        veery_kernels_set(index).map { (String(cString: $0.pointee.name), $0.pointee) }
    }

    /// Numbers of all sizes, some of them at the limits.
    private func numbers(_ count: Int, seed: UInt64) -> [Float] {
        var random = RandomSource(seed: seed)
        let special: [Float] = [0, -0.0, 1e-45, .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity, .nan, 1]
        return (0..<count).map { _ in
            Int.random(in: 0..<20, using: &random) == 0
                ? special.randomElement(using: &random) ?? 0
                : Float.random(in: -1...1, using: &random) * Float.random(in: 0...1e4, using: &random)
        }
    }

    @Test func `16-bit samples of any alignment are divided by 32768`() {
        for (name, loops) in sets {
            for (offset, count) in [(0, 65_536), (1, 1000), (3, 17), (2, 1), (0, 0)] {
                var bytes = [UInt8](repeating: 0, count: offset)
                let values = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7919) }
                for value in values {
                    bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
                }
                var found = [Float](repeating: .nan, count: count + 1)
                bytes.withUnsafeBytes { if let start = $0.baseAddress { loops.pcm16(start + offset, count, &found) } }
                #expect(found[..<count] == values.map { Float($0) / 32_768 }[...], "\(name)")
                #expect(found[count].isNaN)
            }
        }
    }

    @Test func `a window multiplies in double precision`() {
        for (name, loops) in sets {
            for count in [0, 1, 3, 4, 7, 400, 401] {
                let samples = numbers(count, seed: 1).map { $0.isFinite ? $0 : 0 }
                let window = numbers(count, seed: 2).map { $0.isFinite ? Double($0) / 3 : 0 }
                var found = [Double](repeating: -1, count: count + 1)
                loops.window(samples, window, count, &found)
                #expect(found == zip(samples, window).map { Double($0) * $1 } + [-1], "\(name)")
            }
        }
    }

    @Test func `even samples go forwards and odd ones backwards, each times its weight`() {
        for (name, loops) in sets {
            for (count, length) in [
                (0, 4), (1, 1), (2, 2), (3, 3), (7, 8), (8, 8), (16, 16), (17, 32), (400, 512), (1024, 1024),
            ] {
                let samples = numbers(count, seed: 4).map { $0.isFinite ? $0 : 0 }
                let weights = numbers(length, seed: 5).map { $0.isFinite ? Double($0) / 3 : 0 }
                var expected = [Double](repeating: -1, count: length + 1)
                for (n, sample) in samples.enumerated() {
                    let index = n % 2 == 0 ? n / 2 : length - 1 - n / 2
                    expected[index] = Double(sample) * weights[index]
                }
                var found = [Double](repeating: -1, count: length + 1)
                loops.fold(samples, weights, count, length, &found)
                #expect(found == expected, "\(name), \(count) of \(length)")
            }
        }
    }

    @Test func `powers are those of the untangled spectrum, to the last bit`() throws {
        var random = RandomSource(seed: 3)
        for length in [2, 4, 6, 8, 10, 12, 16, 18, 34, 50, 126, 400, 512, 1000] {
            let fourier = try RealFFT(length: length)
            for n in 0..<length { fourier.input.pointer[n] = Double.random(in: -1...1, using: &random) }
            fourier.execute()
            let bins = fourier.bins
            var (real, imaginary) = ([Double](repeating: 0, count: bins), [Double](repeating: 0, count: bins))
            fourier.spectrum(row: 0, real: &real, imaginary: &imaginary)
            var found = [Float](repeating: -1, count: bins + 1)
            fourier.power(row: 0, into: &found)
            #expect(found == zip(real, imaginary).map { Float($0 * $0 + $1 * $1) } + [-1], "length \(length)")
        }
    }

    /// What `RealFFT` says of X[k] and X[M − k], k = 1 … M/2, one after the other.
    private func untangled(_ z: [Double], half: Int, _ cosines: [Double], _ sines: [Double]) -> (
        real: [Double], imaginary: [Double]
    ) {
        var real = [Double](repeating: .nan, count: half + 1)
        var imaginary = real
        (real[0], real[half]) = (2 * (z[0] + z[1]), 2 * (z[0] - z[1]))
        (imaginary[0], imaginary[half]) = (0, -0.0)
        for k in stride(from: 1, through: half / 2, by: 1) {
            let (a, b, c, d) = (z[2 * k], z[2 * k + 1], z[2 * (half - k)], z[2 * (half - k) + 1])
            let turnedReal = cosines[k] * (b + d) - sines[k] * (c - a)
            let turnedImaginary = cosines[k] * (c - a) + sines[k] * (b + d)
            (real[k], imaginary[k]) = (a + c + turnedReal, b - d + turnedImaginary)
            (real[half - k], imaginary[half - k]) = (a + c - turnedReal, -(b - d - turnedImaginary))
        }
        return (real, imaginary)
    }

    @Test func `spectra, powers and cosine coefficients are those of the untangling written out, to the last bit`() {
        for half in [1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 24, 200, 256, 333] {
            let numbers = numbers(4 * half + 40, seed: 4).map { $0.isFinite ? Double($0) / 3 : 1 }
            let z = Array(numbers[..<(2 * half)])
            let (cosines, sines) = (Array(numbers[half...]), Array(numbers[(2 * half)...]))
            let (real, imaginary) = untangled(z, half: half, cosines, sines)
            let transform = CosineTransform(length: 2 * half)
            var coefficients = [Float](repeating: .nan, count: 2 * half)
            transform.coefficients(real: real, imaginary: imaginary, into: &coefficients)
            for (name, loops) in sets {
                var foundReal = [Double](repeating: -1, count: half + 2)
                var foundImaginary = foundReal
                loops.spectrum(z, half, cosines, sines, &foundReal, &foundImaginary)
                #expect((real + [-1]).map(\.bitPattern) == foundReal.map(\.bitPattern), "\(name): \(half)")
                #expect((imaginary + [-1]).map(\.bitPattern) == foundImaginary.map(\.bitPattern), "\(name): \(half)")
                var power = [Float](repeating: -1, count: half + 2)
                loops.power(z, half, cosines, sines, &power)
                #expect(power == zip(real, imaginary).map { Float($0 * $0 + $1 * $1) } + [-1], "\(name): \(half)")
                var found = [Float](repeating: -1, count: 2 * half + 1)
                loops.cosine(z, half, cosines, sines, transform.twiddleReal, transform.twiddleImaginary, &found)
                #expect(
                    (coefficients + [-1]).map(\.bitPattern) == found.map(\.bitPattern), "\(name): \(half)")
            }
        }
    }

    @Test func `cosine coefficients of a row are those of its spectrum, to the last bit`() throws {
        var random = RandomSource(seed: 12)
        for length in [1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 18, 25, 50, 97, 400, 512, 1000] {
            let fourier = try RealFFT(length: length, rows: 2)
            for n in 0..<length { fourier.input.pointer[fourier.rowStride + n] = .random(in: -1...1, using: &random) }
            fourier.execute()
            var (real, imaginary) = (
                [Double](repeating: 0, count: fourier.bins), [Double](repeating: 0, count: fourier.bins)
            )
            fourier.spectrum(row: 1, real: &real, imaginary: &imaginary)
            let transform = CosineTransform(length: length)
            var expected = [Float](repeating: -1, count: length + 1)
            transform.coefficients(real: real, imaginary: imaginary, into: &expected)
            var found = [Float](repeating: -1, count: length + 1)
            fourier.coefficients(row: 1, by: transform, into: &found)
            #expect(expected.map(\.bitPattern) == found.map(\.bitPattern), "length \(length)")
        }
    }

    @Test func `sums of bands are those of eight lanes, added by pairs`() {
        let power = numbers(600, seed: 6).map { $0.isFinite ? abs($0) : 1 }
        let blocks: [Int32] = [0, 1, 3, 40]
        let first = (0..<32).map { Int32($0 * 7) }
        let weights = numbers(44 * 64, seed: 7).map { $0.isFinite ? abs($0) : 1 }
        var expected: [Float] = []
        var taken = 0
        for (group, count) in blocks.enumerated() {
            for band in 0..<8 {
                var lanes = [Float](repeating: 0, count: 8)
                for block in 0..<Int(count) {
                    for lane in 0..<8 {
                        lanes[lane] +=
                            power[Int(first[8 * group + band]) + 8 * block + lane]
                            * weights[taken + 64 * block + 8 * band + lane]
                    }
                }
                while lanes.count > 1 {
                    lanes = stride(from: 0, to: lanes.count, by: 2).map { lanes[$0] + lanes[$0 + 1] }
                }
                expected.append(lanes[0])
            }
            taken += Int(count) * 64
        }
        for (name, loops) in sets {
            var found = [Float](repeating: .nan, count: 33)
            loops.bands(power, weights, first, blocks, blocks.count, &found)
            #expect(found[..<32] == expected[...] && found[32].isNaN, "\(name)")
        }
    }

    @Test func `logarithms are those of the function in Swift`() {
        // Not a multiple of the lanes of any set.
        let powers = numbers(8197, seed: 8).map { abs($0) }
        for (name, loops) in sets {
            for (floor, factor, offset, limit) in [
                (Float(1e-10), Float(1), Float(0), Float.infinity), (1e-3, 4.342_944_8, -7, 20),
            ] {
                var found = powers + [3]
                loops.logarithm(&found, powers.count, floor, factor, offset, limit)
                #expect(found[powers.count] == 3)
                for (power, value) in zip(powers, found) {
                    let logarithm = naturalLogarithm(SIMD8(repeating: power < floor ? floor : power))[0]
                    let expected = power < .infinity ? min(logarithm * factor + offset, limit) : .nan
                    guard value != expected, !(value.isNaN && expected.isNaN) else { continue }
                    Issue.record("\(name): \(power) becomes \(value) instead of \(expected)")
                    return
                }
            }
        }
    }

    @Test func `sums, squares, minimum and largest values are gathered row by row`() {
        for (rows, bins) in [(5, 21), (1, 8), (3, 24), (16, 80), (17, 1024), (2, 7), (4, 1), (2, 0)] {
            let values = numbers(rows * bins, seed: 9).map { $0.isFinite ? $0 : 0.5 }
            let shift = Array(values[..<bins])
            for (name, loops) in sets {
                var sums = [Double](repeating: 0.25, count: bins + 1)
                var squares = sums
                var (minimum, maximum) = (shift + [9], shift + [9])
                loops.statistics(values, rows, bins, shift, &sums, &squares, &minimum, &maximum)
                for bin in 0..<bins {
                    let column = (0..<rows).map { values[$0 * bins + bin] }
                    let distances = column.map { Double($0) - Double(shift[bin]) }
                    #expect(sums[bin] == 0.25 + distances.reduce(0, +), "\(name)")
                    #expect(squares[bin] == 0.25 + distances.reduce(0) { $0 + $1 * $1 }, "\(name)")
                    #expect(minimum[bin] == column.min() && maximum[bin] == column.max(), "\(name)")
                }
                #expect(sums[bins] == 0.25 && squares[bins] == 0.25 && minimum[bins] == 9 && maximum[bins] == 9)
            }
        }
    }

    @Test func `values are raised to the least one, and the maximum is found, whatever is not a number`() {
        for (name, loops) in sets {
            for count in Array(0...40) + [640] {
                let values = numbers(count, seed: 13)
                for least in [-Float.infinity, 0, 0.5, 1e3] {
                    var found = [Float](repeating: 3, count: count + 1)
                    loops.raise(values, count, least, &found)
                    let expected = values.map { $0 < least ? least : $0 } + [3]
                    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern), "\(name): \(count)")
                    let maximum = loops.maximum(values, count, least)
                    #expect(maximum == values.reduce(least) { $1 > $0 ? $1 : $0 }, "\(name): \(count)")
                }
                let finite = values.map { $0.isFinite ? $0 : 0 }
                #expect(loops.maximum(finite, count, -.infinity) == finite.max() ?? -.infinity, "\(name): \(count)")
            }
            for zeros in [[-0.0, 0], [0, -0.0]] as [[Float]] {
                #expect(loops.maximum(zeros, 2, -.infinity).bitPattern == 0, "\(name)")
            }
        }
    }

    @Test func `products with rows of weights are sums of eight lanes, one after another`() {
        for (rows, bands, columns) in [(1, 8, 1), (2, 8, 7), (3, 16, 8), (5, 24, 9), (16, 128, 20), (7, 40, 17)] {
            let values = numbers(rows * bands, seed: 14).map { $0.isFinite ? $0 : 1 }
            let weights = numbers(columns * bands, seed: 15).map { $0.isFinite ? $0 : 1 }
            let width = columns + 3
            var expected = [Float](repeating: -1, count: rows * width)
            for row in 0..<rows {
                for column in 0..<columns {
                    var sums = [Float](repeating: 0, count: 8)
                    for band in 0..<bands {
                        sums[band % 8] += values[row * bands + band] * weights[column * bands + band]
                    }
                    expected[row * width + column] = sums.dropFirst().reduce(sums[0], +)
                }
            }
            for (name, loops) in sets {
                var found = [Float](repeating: -1, count: rows * width)
                loops.products(values, rows, bands / 8, weights, columns, &found, width)
                #expect(found.map(\.bitPattern) == expected.map(\.bitPattern), "\(name): \(rows), \(bands), \(columns)")
            }
        }
    }

    @Test(arguments: [1, 7, 8, 11, 16])
    func `normalised values are finite, and nothing is written after the last row`(bins: Int) {
        let rows = 4
        let values = numbers(rows * bins + 1, seed: 10).map { $0.isNaN ? 2 : $0 }
        let (high, low) = (numbers(bins, seed: 11).map { $0.isFinite ? $0 : 1 }, [Float](repeating: 1e-6, count: bins))
        let spread = [Float](repeating: 0.3, count: bins)
        for (name, loops) in sets {
            var found = values
            loops.normalize(&found, rows, bins, high, low, spread, -1)
            for (index, value) in found.enumerated() {
                let (row, bin) = (index / bins, index % bins)
                guard row < rows else {
                    #expect(value == values[index], "\(name): row \(row)")
                    continue
                }
                let expected = ((values[index] - high[bin]) - low[bin]) / spread[bin] - 1
                let maximum = Float.greatestFiniteMagnitude
                #expect(value == max(-maximum, min(maximum, expected)), "\(name): row \(row), bin \(bin)")
            }
        }
    }
}
