import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// `cosine.json`.
private struct CosineGolden: Decodable {
    struct Case: Decodable {
        let type: CosineTransformType
        let length: Int
        let input: [Float]
        let none: [Double]
        let ortho: [Double]
    }

    let cases: [Case]
}

/// The sums of `CosineTransformType` in double precision, with the factors of `CosineNormalization`.
private func directSum(
    _ samples: [Float], _ type: CosineTransformType, _ normalization: CosineNormalization = .none
) -> [Double] {
    let count = samples.count
    let period = type == .one ? count - 1 : count
    let isOrthogonal = normalization == .ortho
    var x = samples.map(Double.init)
    if type == .one || type == .three { x[0] *= isOrthogonal ? 0.5.squareRoot() : 0.5 }
    if type == .one { x[count - 1] *= isOrthogonal ? 0.5.squareRoot() : 0.5 }
    // Every angle is a whole number of steps of π/4·period; taken modulo a turn in integers, none loses digits.
    let table = (0..<8 * period).map { cos(.pi * Double($0) / Double(4 * period)) }
    var values = (0..<count).map { k in
        var sum = 0.0
        for n in 0..<count {
            sum += x[n] * table[type.steps(n, k) % table.count]
        }
        return isOrthogonal ? sum * (2 / Double(period)).squareRoot() : sum
    }
    if isOrthogonal, type == .one || type == .two { values[0] *= 0.5.squareRoot() }
    if isOrthogonal, type == .one { values[count - 1] *= 0.5.squareRoot() }
    return values
}

struct DiscreteCosineTransformTests {
    /// Every length up to 64, and some longer: odd, primes, powers of two and their neighbours.
    private static let lengths =
        Array(1...64) + [97, 100, 101, 127, 128, 129, 255, 400, 401, 512, 1000, 1021, 1024, 1025]

    private func lengths(_ type: CosineTransformType) -> [Int] { Self.lengths.filter { $0 >= type.minimumLength } }

    @Test func `coefficients equal SciPy's, plain and orthogonal`() throws {
        let cases = try Fixtures.golden("cosine.json", as: CosineGolden.self).cases
        try #require(cases.count == 99, "the golden file has lost cases")
        for known in cases {
            for (normalization, expected) in [(CosineNormalization.none, known.none), (.ortho, known.ortho)] {
                let transform = try DiscreteCosineTransform(
                    type: known.type, length: known.length, normalization: normalization)
                #expect(
                    relativeError(transform.forward(known.input), expected) <= 1e-6,
                    "type \(known.type), length \(known.length), \(normalization)")
            }
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `coefficients equal the direct sums`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 31)
        for length in lengths(type) + (type == .one ? [4097] : [4096]) {
            let samples = random.samples(length)
            for normalization in CosineNormalization.allCases {
                let transform = try DiscreteCosineTransform(type: type, length: length, normalization: normalization)
                let error = relativeError(
                    transform.forward(samples), directSum(samples, type, normalization))
                #expect(error <= 1e-6, "length \(length), \(normalization)")
            }
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `the inverse gives the samples back`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 32)
        for length in lengths(type) + [4096] {
            let samples = random.samples(length)
            for normalization in CosineNormalization.allCases {
                let transform = try DiscreteCosineTransform(type: type, length: length, normalization: normalization)
                let back = transform.inverse(transform.forward(samples))
                let other = transform.forward(transform.inverse(samples))
                let wide = samples.map(Double.init)
                #expect(relativeError(back, wide) <= 1e-6, "length \(length), \(normalization)")
                #expect(relativeError(other, wide) <= 1e-6, "the other way, length \(length), \(normalization)")
            }
        }
    }

    /// The maximum of many errors is a poor measure: it grows with their number. Their mean square does not.
    @Test(arguments: CosineTransformType.allCases)
    func `the inverse gives long signals back, of prime lengths too`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 30)
        for length in [10_007, 65_536, 65_537, 1_000_003] {
            let samples = random.samples(length)
            let transform = try DiscreteCosineTransform(type: type, length: length)
            let back = transform.inverse(transform.forward(samples))
            var (error, energy) = (0.0, 0.0)
            for (found, expected) in zip(back, samples) {
                error += Double(found - expected) * Double(found - expected)
                energy += Double(expected) * Double(expected)
            }
            #expect((error / energy).squareRoot() <= 1e-6, "length \(length)")
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `the inverse of a type is the inverse type, scaled`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 33)
        for length in [2, 3, 8, 25, 512] {
            let samples = random.samples(length)
            let transform = try DiscreteCosineTransform(type: type, length: length)
            let period = Double(type == .one ? length - 1 : length)
            let expected = directSum(samples, type.inverse).map { $0 * 2 / period }
            #expect(relativeError(transform.inverse(samples), expected) <= 1e-6, "length \(length)")
            #expect(type.inverse.inverse == type)
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `an orthogonal transform keeps the energy`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 34)
        for length in lengths(type) {
            let samples = random.samples(length)
            let transform = try DiscreteCosineTransform(type: type, length: length, normalization: .ortho)
            func energy(_ values: [Float]) -> Double { values.reduce(0) { $0 + Double($1) * Double($1) } }
            let expected = energy(samples)
            #expect(abs(energy(transform.forward(samples)) - expected) <= 1e-6 * expected, "length \(length)")
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `coefficients of a sum are the sum of the coefficients`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 35)
        for length in lengths(type) {
            let (first, second) = (random.samples(length), random.samples(length))
            let transform = try DiscreteCosineTransform(type: type, length: length)
            let expected = zip(transform.forward(first), transform.forward(second)).map {
                0.5 * Double($0) + 0.125 * Double($1)
            }
            let mixed = zip(first, second).map { 0.5 * $0 + 0.125 * $1 }
            #expect(relativeError(transform.forward(mixed), expected) <= 1e-6, "length \(length)")
        }
    }

    @Test func `samples and coefficients may share memory, and a second run gives the same bits`() throws {
        var random = RandomSource(seed: 36)
        for type in CosineTransformType.allCases {
            let samples = random.samples(100)
            let transform = try DiscreteCosineTransform(type: type, length: 100)
            var memory = samples
            memory.withUnsafeMutableBufferPointer { transform.forward(UnsafeBufferPointer($0), into: $0) }
            #expect(memory.map(\.bitPattern) == transform.forward(samples).map(\.bitPattern))
        }
    }

    @Test func `the second type equals the faster way by a Fourier transform`() throws {
        var random = RandomSource(seed: 37)
        for length in Self.lengths {
            let samples = random.samples(length)
            let transform = try DiscreteCosineTransform(type: .two, length: length)
            let expected = try cosineCoefficients(of: samples).map(Double.init)
            #expect(relativeError(transform.forward(samples), expected) <= 1e-6, "length \(length)")
        }
    }

    @Test func `lengths that a type is not defined for are refused by name`() {
        for (type, name, minimum) in [
            (CosineTransformType.one, "DCT-I", 2), (.two, "DCT-II", 1), (.three, "DCT-III", 1), (.four, "DCT-IV", 1),
        ] {
            for length in [minimum - 1, -1, .min, DiscreteCosineTransform.maximumSamples + 1, .max] {
                let expected = SignalError.transformLength(
                    name: name, length: length, allowed: minimum...DiscreteCosineTransform.maximumSamples)
                #expect(throws: expected) { _ = try DiscreteCosineTransform(type: type, length: length) }
            }
        }
    }
}

/// The sentences about transforms, each once.
struct SignalSentencesTests {
    private static let errors: [(SignalError, String)] = [
        (.outOfMemory(bytes: 8), "no memory for a buffer of 8 bytes"),
        (.noPlan(length: 8), "FFTW gave no plan for a transform of 8 samples"),
        (
            .transformLength(name: "DCT-I", length: 1, allowed: 2...4_194_304),
            "DCT-I: expected a length from 2 to 4194304 samples, found 1"
        ),
    ]

    @Test(arguments: errors) func `an error of a transform`(error: SignalError, sentence: String) {
        #expect(error.description == sentence)
    }
}
