import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct CosineTransformTests {
    @Test func `coefficients equal SciPy's`() throws {
        for known in try TransformGolden.cases("dct") {
            let expected = try #require(known.values)
            #expect(relativeError(try cosineCoefficients(of: known.input), expected) <= 1e-6, "length \(known.length)")
        }
    }

    @Test func `coefficients equal the direct sum`() throws {
        var random = RandomSource(seed: 21)
        for length in transformLengths {
            let row = random.samples(length)
            #expect(
                relativeError(try cosineCoefficients(of: row), DirectSum.cosine(row)) <= 1e-6, "length \(length)")
        }
    }

    @Test func `orthogonally scaled coefficients keep the energy`() throws {
        var random = RandomSource(seed: 22)
        for length in transformLengths {
            let row = random.samples(length)
            let coefficients = try cosineCoefficients(of: row)
            let total = coefficients.enumerated().reduce(0.0) { sum, coefficient in
                sum + Double(coefficient.element) * Double(coefficient.element) * (coefficient.offset == 0 ? 1 : 2)
            }
            let energy = row.reduce(0) { $0 + Double($1) * Double($1) }
            #expect(abs(total / Double(length) - energy) <= 1e-6 * energy, "length \(length)")
        }
    }

    @Test func `the inverse transform gives the samples back`() throws {
        var random = RandomSource(seed: 23)
        for length in transformLengths {
            let row = random.samples(length)
            let back = DirectSum.inverseCosine(try cosineCoefficients(of: row))
            #expect(relativeError(row, back) <= 1e-6, "length \(length)")
        }
    }

    @Test func `each cosine of the basis gives one coefficient`() throws {
        for length in [1, 2, 3, 7, 8, 16, 25, 64, 97, 512] {
            for k in Set([0, 1, length / 3, length / 2, length - 1]) where k < length {
                let row = (0..<length).map { n in
                    Float(cos(.pi * Double(k * (2 * n + 1) % (4 * length)) / Double(2 * length)))
                }
                var expected = [Double](repeating: 0, count: length)
                expected[k] = k == 0 ? Double(length) : Double(length) / 2
                let error = relativeError(try cosineCoefficients(of: row), expected)
                #expect(error <= 1e-6, "length \(length), coefficient \(k)")
            }
        }
    }

    @Test func `coefficients of a sum are the sum of the coefficients`() throws {
        var random = RandomSource(seed: 24)
        for length in transformLengths {
            let (first, second) = (random.samples(length), random.samples(length))
            let mixed = zip(first, second).map { 0.5 * $0 + 0.125 * $1 }
            let (a, b) = (try cosineCoefficients(of: first), try cosineCoefficients(of: second))
            let expected = zip(a, b).map { 0.5 * Double($0) + 0.125 * Double($1) }
            #expect(relativeError(try cosineCoefficients(of: mixed), expected) <= 1e-6, "length \(length)")
        }
    }
}
