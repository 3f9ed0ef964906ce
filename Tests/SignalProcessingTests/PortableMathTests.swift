import Foundation
import Numerics
import Testing

@testable import SignalProcessing

/// Compared with the C library's functions, in long double where there is one.
struct PortableMathTests {
    #if arch(x86_64) && !os(Windows)
        private typealias Reference = Float80
    #else
        private typealias Reference = Double
    #endif

    private func error(_ value: Double, _ exact: Reference) -> Double {
        Double(abs(Reference(value) - exact) / Reference(Double(exact).ulp))
    }

    @Test func `logarithms lie within a unit in the last place`() {
        var random = SystemRandomNumberGenerator()
        var largest = 0.0
        for number in 0..<100_000 {
            let x =
                number % 2 == 0
                ? Double.random(in: 0.5..<2, using: &random) : Foundation.exp(Double.random(in: -700...700))
            largest = max(largest, error(PortableMath.log(x), Foundation.log(Reference(x))))
        }
        #expect(largest < 1)
        #expect(PortableMath.log(1) == 0 && PortableMath.log10(1) == 0)
        #expect(abs(PortableMath.log10(1000) - 3) <= 3.0.ulp)
    }

    @Test func `powers of e lie within a unit in the last place`() {
        var largest = 0.0
        for _ in 0..<100_000 {
            let x = Double.random(in: -700...700)
            largest = max(largest, error(PortableMath.exp(x), Foundation.exp(Reference(x))))
        }
        #expect(largest < 1)
        #expect(PortableMath.exp(0) == 1)
    }

    @Test func `powers are as exact as their exponent allows`() {
        for _ in 0..<100_000 {
            let (base, exponent) = (Foundation.exp(Double.random(in: -20...20)), Double.random(in: -4...4))
            let allowed = 2 + 2 * abs(exponent * Foundation.log(base))
            #expect(
                error(PortableMath.power(base, exponent), Foundation.pow(Reference(base), Reference(exponent)))
                    < allowed)
        }
    }

    @Test func `arguments without a finite result give the result of the C library`() {
        #expect(PortableMath.log(0) == -.infinity && PortableMath.log(-1).isNaN && PortableMath.log(.nan).isNaN)
        #expect(PortableMath.log(.infinity) == .infinity)
        #expect(PortableMath.exp(710) == .infinity && PortableMath.exp(-.infinity) == 0 && PortableMath.exp(.nan).isNaN)
        #expect(PortableMath.exp(-750) == 0 && PortableMath.exp(.infinity) == .infinity)
        #expect(PortableMath.power(0, 0.85) == 0 && PortableMath.power(0, 0) == 1 && PortableMath.power(7, 0) == 1)
        let smallest = PortableMath.log(.leastNonzeroMagnitude)
        #expect(abs(smallest - Foundation.log(Double.leastNonzeroMagnitude)) <= smallest.ulp)
        #expect(abs(PortableMath.exp(-744) - Foundation.exp(-744.0)) <= Double.leastNonzeroMagnitude)
    }

    @Test func `points at turns of any size lie within their own rounding`() {
        for _ in 0..<100_000 {
            let turns = Double.random(in: -3...3)
            let angle = 2 * Reference.pi * Reference(turns)
            let point = UnitCircle.point(turns: turns)
            #expect(
                abs(Reference(point.cosine) - cos(angle)) < 2.3e-16 && abs(Reference(point.sine) - sin(angle)) < 2.3e-16
            )
        }
        #expect(UnitCircle.point(turns: -0.25) == (0, -1) && UnitCircle.point(turns: 5.5) == (-1, 0))
    }
}
