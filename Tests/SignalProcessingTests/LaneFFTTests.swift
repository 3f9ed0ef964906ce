import CKernels
import FeatureModel
import Foundation
import Numerics
import TestSupport
import Testing

@testable import SignalProcessing

/// The transform over lanes, with every set of instructions of this processor.
struct LaneFFTTests {
    private let sets = (0..<4).compactMap { veery_kernels_set($0) }

    /// All short lengths, which use every butterfly, and convolutions; usual lengths, primes and long ones.
    private static let lengths =
        Array(1...140) + [
            160, 162, 169, 180, 200, 240, 242, 243, 250, 256, 286, 300, 320, 343, 360, 400, 401, 480, 512, 539, 600,
            640, 800, 882,
            960, 1001, 1021, 1024, 1102, 1103, 1200, 1280, 1331, 1536, 1600, 1920, 2048, 2197, 2205, 2400, 3200, 4096,
            4801, 8192,
            8191, 11_025, 16_384, 16_400, 17_017,
        ]

    /// X[k] for some k.
    private func direct(_ row: [Float], _ bins: [Int]) -> [(real: Double, imaginary: Double)] {
        let length = row.count
        let turns = (0..<length).map { 2 * LongDouble.pi * LongDouble($0) / LongDouble(length) }
        let (cosines, sines) = (turns.map { cos($0) }, turns.map { sin($0) })
        return bins.map { k in
            var (real, imaginary): (LongDouble, LongDouble) = (0, 0)
            for (n, x) in row.enumerated() {
                real += LongDouble(x) * cosines[n * k % length]
                imaginary -= LongDouble(x) * sines[n * k % length]
            }
            return (Double(real), Double(imaginary))
        }
    }

    @Test func `the product of the radices is the length, and a long transform starts with 8`() {
        for length in 1...8192 {
            var rest = length
            for prime in [2, 3, 5, 7, 11, 13] { while rest % prime == 0 { rest /= prime } }
            let radices = LanePlan.radices(of: length)
            #expect((radices == nil) == (rest > 1), "\(length)")
            guard let radices else { continue }
            #expect(radices.reduce(1, *) == length)
            if length % 32 == 0 { #expect(radices[0] == 8) }
        }
    }

    @Test func `a convolution is long enough, and has a transform by passes`() {
        for least in Array(1...2000) + [65_537, 1_000_003, 6_291_457] {
            let length = LaneConvolution.fastLength(atLeast: least)
            #expect(length >= least && length <= least * 5 / 4 + 8 && LanePlan.radices(of: length) != nil, "\(least)")
        }
    }

    @Test func `spectra at every length are exact to 1e-15 of the greatest amplitude`() throws {
        var random = RandomSource(seed: 31)
        let long = [
            1501, 2003, 2187, 2310, 4093, 4096, 4097, 6006, 8191, 10_007, 11_025, 16_384, 16_400, 17_017, 22_050,
            32_768, 44_100,
            65_536, 65_537, 100_003,
        ]
        for length in Array(1...1400) + long {
            let row = random.samples(length)
            let all = Array(0...length / 2)
            let bins = length <= 64 ? all : [0, 1, length / 4, length / 2] + all.shuffled(using: &random).prefix(8)
            let found = try Spectrum.of(row)
            let greatest = (found.power.max() ?? 0).squareRoot()
            for (bin, value) in zip(bins, direct(row, bins)) {
                let (real, imaginary) = (found.real[bin], found.imaginary[bin])
                let error = max(abs(real - value.real), abs(imaginary - value.imaginary))
                #expect(error <= 1e-15 * greatest, "length \(length), bin \(bin): \(error / greatest)")
                #expect(found.power[bin] == real * real + imaginary * imaginary, "length \(length), bin \(bin)")
            }
        }
    }

    @Test func `spectra and powers equal NumPy's`() throws {
        for known in try TransformGolden.cases("fft") {
            let (real, imaginary) = (try #require(known.re), try #require(known.im))
            let found = try Spectrum.of(known.input)
            // The file has ten digits.
            #expect(relativeError(found.real + found.imaginary, real + imaginary) <= 1e-9, "length \(known.length)")
            let power = zip(real, imaginary).map { $0 * $0 + $1 * $1 }
            #expect(relativeError(found.power, power) <= 1e-9, "length \(known.length)")
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
            let alone = try rows.map { try Spectrum.ofRows([$0], length: length, kernels: sets[0])[0].bits }
            for kernels in sets {
                for size in length <= 100 ? Array(1...rows.count) : [1, rows.count] {
                    let found = try Spectrum.ofRows(Array(rows[..<size]), length: length, kernels: kernels)
                    for row in 0..<size where row != 3 {
                        let name = String(cString: kernels.pointee.name)
                        #expect(found[row].bits == alone[row], "\(name), length \(length), row \(row) of \(size)")
                    }
                }
            }
        }
    }

    @Test func `FFTW gives the same spectra, within a few roundings`() throws {
        guard transformLibraryVersion() != nil else { return }
        var random = RandomSource(seed: 33)
        for length in Self.lengths {
            let rows = (0..<3).map { _ in random.samples(length) }
            for kernels in sets {
                let own = try Spectrum.ofRows(rows, length: length, kernels: kernels)
                let other = try Spectrum.ofRows(rows, length: length, engine: .fftw, kernels: kernels)
                for (own, other) in zip(own, other) {
                    let error = relativeError(own.real + own.imaginary, other.real + other.imaginary)
                    #expect(error <= 2e-15, "length \(length)")
                }
            }
        }
    }

    @Test func `sums of bands are those of even and odd bins, and roots those of single precision`() throws {
        var random = RandomSource(seed: 35)
        let bands = [0, 1, 2, 3, 9, 40].enumerated().map { index, count in
            (first: 7 * index, weights: (0..<count).map { _ in Float.random(in: 0...1, using: &random) })
        }
        let power = (0..<80).map { _ in (0..<8).map { _ in Double.random(in: 0...1e6, using: &random) } }
        for kernels in sets {
            let transform = try LaneFFT(length: 512, kernels: kernels)
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
            for isSingle in [false, true] {
                for (bin, numbers) in power.enumerated() {
                    for lane in 0..<lanes { powers.pointer[bin * lanes + lane] = numbers[lane] }
                }
                if isSingle {
                    transform.takeRoots(powers, count: 79, as: Float.self)
                } else {
                    transform.takeRoots(powers, count: 79, as: Double.self)
                }
                for (bin, numbers) in power.enumerated() {
                    for lane in 0..<lanes {
                        let root =
                            isSingle ? Double(Float(numbers[lane]).squareRoot()) : numbers[lane].squareRoot()
                        #expect(powers.pointer[bin * lanes + lane] == (bin < 79 ? root : numbers[lane]))
                    }
                }
            }
        }
    }

    @Test func `rows are those of the lanes that count, and nothing else is written`() throws {
        try rows(of: Float.self)
        try rows(of: Double.self)
    }

    private func rows<Number: RowNumber>(of type: Number.Type) throws {
        for kernels in sets {
            let transform = try LaneFFT(length: 512, kernels: kernels)
            let lanes = transform.groupRows
            let values = try transform.buffer(count: 60)
            for index in 0..<60 * lanes { values.pointer[index] = Double(index) / 3 }
            for (rows, columns, step) in [(1, 7, 1), (lanes, 7, 1), (lanes - 1, 12, 5), (2, 4, 3), (1, 3, 20)] {
                let width = columns + 2
                for squares in [false, true] {
                    var found = [Number](repeating: -1, count: lanes * width)
                    found.withUnsafeMutableBufferPointer { target in
                        guard let address = target.baseAddress else { return }
                        transform.store(
                            values, step: step, columns: columns, squares: squares, into: address, width: width,
                            rows: rows)
                    }
                    for (index, value) in found.enumerated() {
                        let (row, column) = (index / width, index % width)
                        let isWritten = row < rows && column < columns
                        let rounded = Number(Double(column * step * lanes + row) / 3)
                        #expect(value == (isWritten ? squares ? rounded * rounded : rounded : -1))
                    }
                }
            }
        }
    }

    @Test func `points of the unit circle lie within a unit in the last place`() {
        for n in [1, 2, 3, 4, 5, 7, 8, 12, 400, 512, 800, 4096, 32_000] {
            var largest: LongDouble = 0
            for k in 0..<n {
                let angle = 2 * LongDouble.pi * LongDouble(k) / LongDouble(n)
                let point = UnitCircle.point(k, of: n)
                for (value, exact) in [(point.cosine, cos(angle)), (point.sine, sin(angle))] {
                    // The angle of the reference is rounded, too: near 0, that counts for more.
                    largest = max(largest, abs(LongDouble(value) - exact) / max(LongDouble(Double(exact).ulp), 4e-18))
                }
            }
            #expect(largest <= 1, "of \(n)")
        }
    }
}
