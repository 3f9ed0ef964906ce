import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// `log.json`.
private struct LogarithmGolden: Decodable {
    let x: [Float]
    let ln: [Double]
}

struct LogarithmTests {
    /// Whether a result lies within 1 unit in the last place of the double-precision logarithm; next to x = 1, where
    /// the logarithm vanishes, within 1.5e-7.
    private func isExact(_ result: Float, _ reference: Double, of x: Float) -> Bool {
        let error = abs(Double(result) - reference)
        return error <= Double(Float(reference).ulp) || abs(x - 1) < 0.5 && error <= 1.5e-7
    }

    @Test func `logarithms lie within a unit in the last place of Python's`() throws {
        let golden: LogarithmGolden = try Fixtures.golden("log.json")
        try #require(golden.x.count >= 400)
        for (x, reference) in zip(golden.x, golden.ln) {
            let result = naturalLogarithm(SIMD8(repeating: x))
            #expect((1..<8).allSatisfy { result[$0] == result[0] })
            #expect(isExact(result[0], reference, of: x), "ln \(x) = \(reference), found \(result[0])")
        }
    }

    @Test func `logarithms of random numbers of every exponent lie within a unit in the last place`() {
        var random = RandomSource(seed: 51)
        for _ in 0..<5000 {
            var x = SIMD8<Float>.zero
            for lane in 0..<8 {
                x[lane] = Float(bitPattern: UInt32.random(in: 0x0080_0000..<0x7F80_0000, using: &random))
            }
            let result = naturalLogarithm(x)
            for lane in 0..<8 {
                #expect(isExact(result[lane], log(Double(x[lane])), of: x[lane]), "ln \(x[lane])")
            }
        }
    }

    @Test func `the logarithm of 1 is 0`() {
        #expect(naturalLogarithm(SIMD8(repeating: 1)) == .zero)
    }
}
