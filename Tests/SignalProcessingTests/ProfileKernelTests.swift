import CKernels
import TestSupport
import Testing

/// The loops that look at stored values, of every set that this processor can run, against the same written out.
struct ProfileKernelTests {
    private let sets: [(name: String, loops: veery_kernels)] = (0..<4).compactMap { index in
        veery_kernels_set(index).map { (String(cString: $0.pointee.name), $0.pointee) }
    }

    @Test func `one value that is not finite is found, wherever it is`() {
        for (name, loops) in sets {
            for count in [0, 1, 7, 8, 33, 100] {
                var random = RandomSource(seed: UInt64(count))
                let finite: [Float] = [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0, -0.0, 1e-45]
                var values = (0..<count).map { $0 % 3 == 0 ? finite[$0 % 5] : Float.random(in: -9...9, using: &random) }
                let greatest: [UInt16] = [0x7BFF, 0xFBFF, 0, 0x8000, 1, 0x3C00]
                var halves = (0..<count).map { greatest[$0 % 6] }
                #expect(loops.finite(values, count) == 1 && loops.finite_halves(halves, count) == 1, "\(name)")
                for index in 0..<count {
                    let (value, half) = (values[index], halves[index])
                    for other in [Float.infinity, -.infinity, .nan, -.nan, .signalingNaN] {
                        values[index] = other
                        #expect(loops.finite(values, count) == 0, "\(name), \(index) of \(count)")
                    }
                    for other in [0x7C00, 0xFC00, 0x7E00, 0xFC01] as [UInt16] {
                        halves[index] = other
                        #expect(loops.finite_halves(halves, count) == 0, "\(name), \(index) of \(count)")
                    }
                    (values[index], halves[index]) = (value, half)
                }
            }
        }
    }

    @Test func `columns are added up in the order of rows, to the last bit`() {
        for (name, loops) in sets {
            for (rows, bins) in [(0, 3), (1, 1), (5, 7), (64, 8), (13, 80), (9, 43)] {
                var random = RandomSource(seed: UInt64(rows * bins))
                let values = (0..<rows * bins).map { _ in Float.random(in: -1...1, using: &random) }
                let first = Array(values.prefix(bins)) + Array(repeating: 0, count: max(0, bins - values.count))
                let limits = (0..<bins).map { $0 % 4 == 0 ? -.infinity : Float.random(in: -1...1, using: &random) }
                var (sums, squares) = ([Double](repeating: 0.1, count: bins), [Double](repeating: 0.7, count: bins))
                var low = 5
                var expected = (sums: sums, squares: squares, low: low)
                for (index, value) in values.enumerated() {
                    let bin = index % bins
                    expected.sums[bin] += Double(value)
                    expected.squares[bin] += Double(value) * Double(value)
                    if value <= limits[bin] { expected.low += 1 }
                }
                let changed = loops.profile(
                    values, rows, bins, first, limits, &sums, &squares, &low)
                #expect(sums == expected.sums && squares == expected.squares, "\(name)")
                #expect(low == expected.low, "\(name)")
                #expect((changed != 0) == (rows > 1), "\(name)")
                guard rows > 1 else { continue }
                // The same row again and again, and a single other value.
                var constant = (0..<rows).flatMap { _ in first }
                func isChanged() -> Bool {
                    loops.profile(
                        constant, rows, bins, first, limits, &sums, &squares, &low) != 0
                }
                #expect(!isChanged())
                constant[constant.count - 1].negate()
                #expect(isChanged())
            }
        }
    }

    @Test func `values are counted up to the first that has no interval`() {
        for (name, loops) in sets {
            var random = RandomSource(seed: 8)
            var values = (0..<203).map { _ in Float.random(in: -3...5, using: &random) }
            values += [-3, -1e-30, 0, -0.0, 4.999_999_5, 1]
            for scale in [1, 4, 0.5] {
                let (low, high) = (Int32((-3 * scale).rounded(.down)), Int32((5 * scale).rounded(.up)))
                var expected = [Int](repeating: 0, count: Int(high - low))
                for value in values { expected[Int((Double(value) * scale).rounded(.down)) - Int(low)] += 1 }
                var counts = [Int](repeating: 0, count: expected.count)
                #expect(loops.histogram(values, values.count, scale, low, high, &counts) == values.count)
                #expect(counts == expected, "\(name)")
                for (index, outside) in [(0, Float(5)), (100, -3.000_001), (208, 1e30), (207, -1e30)] {
                    var other = values
                    other[index] = outside * (scale < 1 && outside > 1e3 ? 1 : scale < 1 ? 3 : 1)
                    counts = Array(repeating: 0, count: expected.count)
                    #expect(loops.histogram(other, other.count, scale, low, high, &counts) == index, "\(name)")
                    #expect(counts.reduce(0, +) == index)
                }
            }
        }
    }
}
