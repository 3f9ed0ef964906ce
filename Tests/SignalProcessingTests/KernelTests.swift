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
