import Foundation
import Testing

@testable import FeatureModel

struct Exponential2Tests {
    @Test func `the result is within two units in the last place of the mathematics library's exp2`() {
        var worst = 0.0
        for step in -40_000...40_000 {
            let exponent = Double(step) / 1000
            let expected = exp2(exponent)
            worst = max(worst, abs(exponential2(exponent) - expected) / expected.ulp)
        }
        #expect(worst <= 2, "\(worst) units in the last place")
    }

    @Test(arguments: [-1000, -40, -1, 0, 1, 12, 40, 1000])
    func `integer exponents give exact powers, up to the largest and smallest`(exponent: Int) {
        #expect(exponential2(Double(exponent)) == Double(sign: .plus, exponent: exponent, significand: 1))
    }

    @Test func `powers too small for a Double are 0, those too large infinite, and nothing traps`() {
        #expect(exponential2(-5000) == 0 && exponential2(5000) == .infinity)
        #expect(exponential2(-1e17) == 0 && exponential2(1e17) == .infinity)
    }
}
