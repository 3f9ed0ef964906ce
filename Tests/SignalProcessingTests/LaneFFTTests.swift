import CKernels
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

#if arch(x86_64)
    private typealias Reference = Float80
#else
    private typealias Reference = Double
#endif

/// The transform over lanes, with every set of instructions of this processor.
struct LaneFFTTests {
    private let sets = (0..<4).compactMap { veery_kernels_set($0) }

    /// Common lengths, and one with each radix first or alone.
    private static let lengths = [
        2, 4, 6, 8, 10, 12, 16, 18, 20, 24, 30, 32, 36, 40, 48, 50, 54, 60, 64, 72, 80, 90, 96, 100, 108, 120, 128, 150,
        160,
        162, 180, 200, 240, 250, 256, 300, 320, 360, 400, 480, 512, 600, 640, 800, 882, 960, 1024, 1200, 1280, 1536,
        1600,
        1920, 2048, 2400, 3200, 4096, 4800, 8192, 16_384,
    ].filter(LaneFFT.serves)

    /// The results of a group of rows, with one set: real parts, imaginary parts, powers of each row in double precision.
    private struct Results: Equatable {
        var real: [[UInt64]] = []
        var imaginary: [[UInt64]] = []
        var power: [[UInt64]] = []
    }

    private func results(
        _ rows: [[Float]], length: Int, _ kernels: UnsafePointer<veery_kernels>
    ) throws -> Results {
        let transform = try LaneFFT(length: length, window: .rectangle(length), kernels: kernels)
        let (real, imaginary, power) = (
            try transform.buffer(count: transform.bins), try transform.buffer(count: transform.bins),
            try transform.buffer(count: transform.bins)
        )
        var results = Results()
        let lanes = transform.groupRows
        try frameRun(rows) { run in
            while run.count > 0 {
                let group = run.take(min(lanes, run.count))
                transform.transform(group)
                transform.spectra(real: real, imaginary: imaginary)
                transform.powers(into: power)
                func rows(_ buffer: DoubleBuffer) -> [[UInt64]] {
                    (0..<group.count).map { row in
                        (0..<transform.bins).map { buffer.pointer[$0 * lanes + row].bitPattern }
                    }
                }
                results.real += rows(real)
                results.imaginary += rows(imaginary)
                results.power += rows(power)
            }
        }
        return results
    }

    /// X[k] for some k.
    private func direct(_ row: [Float], _ bins: [Int]) -> [(real: Double, imaginary: Double)] {
        let length = row.count
        let turns = (0..<length).map { 2 * Reference.pi * Reference($0) / Reference(length) }
        let (cosines, sines) = (turns.map { cos($0) }, turns.map { sin($0) })
        return bins.map { k in
            var (real, imaginary): (Reference, Reference) = (0, 0)
            for (n, x) in row.enumerated() {
                real += Reference(x) * cosines[n * k % length]
                imaginary -= Reference(x) * sines[n * k % length]
            }
            return (Double(real), Double(imaginary))
        }
    }

    @Test func `the common lengths have a transform, and those with other prime factors have none`() {
        for length in [256, 320, 400, 512, 640, 800, 1024, 2048, 4096, 16_384] {
            #expect(LaneFFT.serves(length: length))
        }
        for length in [0, 1, 3, 14, 22, 511, 514, 882, 32_768] {
            #expect(!LaneFFT.serves(length: length))
        }
    }

    @Test func `the product of the radices is the length, and a long transform starts with 8`() {
        for length in 1...LaneFFT.maximumLength / 2 {
            guard let radices = LanePlan.radices(of: length) else { continue }
            #expect(radices.reduce(1, *) == length)
            if length % 32 == 0 { #expect(radices[0] == 8) }
        }
    }

    @Test func `spectra and powers at every length are within a few roundings of the direct sum`() throws {
        var random = RandomSource(seed: 31)
        for length in Self.lengths {
            let row = random.samples(length)
            let all = Array(0...length / 2)
            let bins = length <= 1024 ? all : [0, 1, length / 4, length / 2] + all.shuffled(using: &random).prefix(60)
            let expected = direct(row, bins)
            // The size of a bin is the root of the length; roundings add up with the number of passes.
            let bound = 2e-16 * log2(Double(length) + 1) * Double(length).squareRoot()
            let found = try results([row], length: length, sets[0])
            for (bin, value) in zip(bins, expected) {
                let (real, imaginary, power) = (
                    Double(bitPattern: found.real[0][bin]), Double(bitPattern: found.imaginary[0][bin]),
                    Double(bitPattern: found.power[0][bin])
                )
                #expect(abs(real - value.real) <= bound, "length \(length), bin \(bin)")
                #expect(abs(imaginary - value.imaginary) <= bound, "length \(length), bin \(bin)")
                #expect(power == real * real + imaginary * imaginary, "length \(length), bin \(bin)")
            }
        }
    }

    @Test func `spectra and powers equal NumPy's`() throws {
        for known in try TransformGolden.cases("fft") where LaneFFT.serves(length: known.length) {
            let (real, imaginary) = (try #require(known.re), try #require(known.im))
            let found = try results([known.input], length: known.length, sets[0])
            let values = (found.real[0] + found.imaginary[0]).map { Double(bitPattern: $0) }
            // The file has ten digits.
            #expect(relativeError(values, real + imaginary) <= 1e-9, "length \(known.length)")
            let power = zip(real, imaginary).map { $0 * $0 + $1 * $1 }
            #expect(
                relativeError(found.power[0].map { Double(bitPattern: $0) }, power) <= 1e-9, "length \(known.length)")
        }
    }

    @Test func `all instructions give the same bits, for batches of every size`() throws {
        var random = RandomSource(seed: 32)
        for length in Self.lengths {
            let rows = (0..<(length <= 1024 ? 17 : 9)).map { row -> [Float] in
                // Loud rows and quiet ones, and one that is not finite.
                let loudness: Float = row == 3 ? .nan : row % 2 == 0 ? 1 : 1e30
                return random.samples(length).map { $0 * loudness }
            }
            let alone = try rows.map { try results([$0], length: length, sets[0]) }
            for kernels in sets {
                let sizes = length <= 512 ? Array(1...rows.count) : [1, rows.count]
                for size in sizes {
                    let found = try results(Array(rows[..<size]), length: length, kernels)
                    for row in 0..<size where row != 3 {
                        let isEqual =
                            found.real[row] == alone[row].real[0] && found.imaginary[row] == alone[row].imaginary[0]
                            && found.power[row] == alone[row].power[0]
                        let name = String(cString: kernels.pointee.name)
                        #expect(isEqual, "\(name), length \(length), row \(row) of \(size)")
                    }
                }
            }
        }
    }

    @Test func `cosine coefficients equal the direct sum, and are the same with all instructions`() throws {
        var random = RandomSource(seed: 34)
        for length in Self.lengths where length <= 2048 {
            let rows = (0..<LaneFFT.rows).map { _ in random.samples(length) }
            let found = try sets.map { kernels in
                let transform = try LaneFFT(
                    length: length, window: .rectangle(length, order: .evenThenOddReversed), kernels: kernels)
                let values = try transform.buffer(count: length)
                var coefficients = [Float](repeating: .nan, count: length * LaneFFT.rows)
                try frameRun(rows) { run in
                    for start in stride(from: 0, to: LaneFFT.rows, by: transform.groupRows) {
                        transform.transform(run.take(transform.groupRows))
                        transform.coefficients(CosineTurns(length: length), into: values)
                        coefficients.withUnsafeMutableBufferPointer { target in
                            guard let address = target.baseAddress else { return }
                            transform.store(
                                values, columns: length, into: address + start * length, width: length,
                                rows: transform.groupRows)
                        }
                    }
                }
                return coefficients
            }
            for other in found { #expect(other.map(\.bitPattern) == found[0].map(\.bitPattern), "length \(length)") }
            let last = Array(found[0][(7 * length)...])
            #expect(relativeError(last, DirectSum.cosine(rows[7])) <= 1e-7, "length \(length)")
        }
    }

    @Test func `sums of bands are those of even and odd bins, and roots those of single precision`() throws {
        var random = RandomSource(seed: 35)
        let bands = [0, 1, 2, 3, 9, 40].enumerated().map { index, count in
            (first: 7 * index, weights: (0..<count).map { _ in Float.random(in: 0...1, using: &random) })
        }
        let power = (0..<80).map { _ in (0..<8).map { _ in Double.random(in: 0...1e6, using: &random) } }
        for kernels in sets {
            let transform = try LaneFFT(length: 512, window: .rectangle(512), kernels: kernels)
            let lanes = transform.groupRows
            let (powers, values) = (try transform.buffer(count: 80), try transform.buffer(count: bands.count))
            for (bin, numbers) in power.enumerated() {
                for lane in 0..<lanes { powers.pointer[bin * lanes + lane] = numbers[lane] }
            }
            transform.bands(BandWeights(bands), of: powers, into: values)
            for (band, (first, weights)) in bands.enumerated() {
                for lane in 0..<lanes {
                    var sums = [0.0, 0.0]
                    for (index, weight) in weights.enumerated() {
                        sums[index % 2] += power[first + index][lane] * Double(weight)
                    }
                    #expect(values.pointer[band * lanes + lane] == sums[0] + sums[1])
                }
            }
            transform.takeRoots(powers, count: 80)
            for (bin, numbers) in power.enumerated() {
                for lane in 0..<lanes {
                    #expect(powers.pointer[bin * lanes + lane] == Double(Float(numbers[lane]).squareRoot()))
                }
            }
        }
    }

    @Test func `rows are those of the lanes that count, and nothing else is written`() throws {
        for kernels in sets {
            let transform = try LaneFFT(length: 512, window: .rectangle(512), kernels: kernels)
            let lanes = transform.groupRows
            let values = try transform.buffer(count: 60)
            for index in 0..<60 * lanes { values.pointer[index] = Double(index) / 3 }
            for (rows, columns, step) in [(1, 7, 1), (lanes, 7, 1), (lanes - 1, 12, 5), (2, 4, 3), (1, 3, 20)] {
                let width = columns + 2
                for squares in [false, true] {
                    var found = [Float](repeating: -1, count: lanes * width)
                    found.withUnsafeMutableBufferPointer { target in
                        guard let address = target.baseAddress else { return }
                        transform.store(
                            values, step: step, columns: columns, squares: squares, into: address, width: width,
                            rows: rows)
                    }
                    for (index, value) in found.enumerated() {
                        let (row, column) = (index / width, index % width)
                        let isWritten = row < rows && column < columns
                        let single = Float(Double(column * step * lanes + row) / 3)
                        #expect(value == (isWritten ? squares ? single * single : single : -1))
                    }
                }
            }
        }
    }

    @Test func `points of the unit circle lie within a unit in the last place`() {
        for n in [1, 2, 3, 4, 5, 7, 8, 12, 400, 512, 800, 4096, 32_000] {
            var largest: Reference = 0
            for k in 0..<n {
                let angle = 2 * Reference.pi * Reference(k) / Reference(n)
                let point = UnitCircle.point(k, of: n)
                for (value, exact) in [(point.cosine, cos(angle)), (point.sine, sin(angle))] {
                    // The angle of the reference is rounded, too: near 0, that counts for more.
                    largest = max(largest, abs(Reference(value) - exact) / max(Reference(Double(exact).ulp), 4e-18))
                }
            }
            #expect(largest <= 1, "of \(n)")
        }
    }
}
