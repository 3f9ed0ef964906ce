import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// `log.json`.
private struct LogarithmGolden: Decodable {
    let x: [Float]
    let ln: [Double]
}

@Suite("Natural logarithm")
struct LogarithmTests {
    /// Whether a result lies within 1 unit in the last place of the double-precision logarithm; next to x = 1, where
    /// the logarithm vanishes, within 1.5e-7.
    private func isExact(_ result: Float, _ reference: Double, of x: Float) -> Bool {
        let error = abs(Double(result) - reference)
        return error <= Double(Float(reference).ulp) || abs(x - 1) < 0.5 && error <= 1.5e-7
    }

    @Test("logarithms lie within a unit in the last place of Python's")
    func goldens() throws {
        let golden: LogarithmGolden = try Fixtures.golden("log.json")
        try #require(golden.x.count >= 400)
        for (x, reference) in zip(golden.x, golden.ln) {
            let result = naturalLogarithm(x)
            #expect(isExact(result, reference, of: x), "ln \(x) = \(reference), found \(result)")
        }
    }

    @Test("logarithms of random numbers of every exponent lie within a unit in the last place")
    func random() {
        var random = RandomSource(seed: 51)
        for _ in 0..<40_000 {
            let x = Float(bitPattern: UInt32.random(in: 0x0080_0000..<0x7F80_0000, using: &random))
            #expect(isExact(naturalLogarithm(x), log(Double(x)), of: x), "ln \(x)")
        }
    }

    @Test("the logarithm of 1 is 0")
    func one() {
        #expect(naturalLogarithm(1) == 0)
    }
}
