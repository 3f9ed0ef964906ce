/// Logarithms and powers for windows, filter banks and scales.
///
/// Not by the C library, whose functions have other last bits on processors with fused multiplication and addition. The
/// operations here are rounded in the same way everywhere. Formulas of fdlibm (`e_log.c`, `e_exp.c`).
package enum PortableMath {
    /// ln 2 in two parts: the first has so few digits that its product with an exponent is exact.
    private static let ln2 = (high: 6.93147180369123816490e-01, low: 1.90821492927058770002e-10)
    package static let ln10 = 2.302585092994045684

    /// The natural logarithm, to 1 unit in the last place; that of 0 is −∞, of numbers below 0 NaN.
    package static func log(_ x: Double) -> Double {
        guard x > 0 else { return x == 0 ? -.infinity : .nan }
        guard x < .infinity else { return x }
        // x = 2ᵏ · (1 + f), 1 + f from √½ to √2.
        var (k, mantissa) = (Double(x.exponent), x.significand)
        if mantissa > 2.0.squareRoot() { (k, mantissa) = (k + 1, mantissa / 2) }
        let f = mantissa - 1
        let s = f / (2 + f)
        let z = s * s
        var sum = 1.531383769920937332e-01 + z * 1.479819860511658591e-01
        sum = 1.818357216161805012e-01 + z * sum
        sum = 2.222219843214978396e-01 + z * sum
        sum = 2.857142874366239149e-01 + z * sum
        sum = 3.999999999940941908e-01 + z * sum
        sum = 6.666666666666735130e-01 + z * sum
        let half = 0.5 * f * f
        return k * ln2.high - ((half - (s * (half + z * sum) + k * ln2.low)) - f)
    }

    /// The logarithm to base 10, to 2 units in the last place.
    package static func log10(_ x: Double) -> Double { log(x) / ln10 }

    /// e to the power x, to 1 unit in the last place.
    package static func exp(_ x: Double) -> Double {
        guard x < 709.8 else { return x.isNaN ? x : .infinity }
        guard x > -745.2 else { return 0 }
        let k = (x * 1.44269504088896338700).rounded()
        let (high, low) = (x - k * ln2.high, k * ln2.low)
        let r = high - low
        let z = r * r
        var sum = -1.65339022054652515390e-06 + z * 4.13813679705723846039e-08
        sum = 6.61375632143793436117e-05 + z * sum
        sum = -2.77777777770155933842e-03 + z * sum
        sum = 1.66666666666666019037e-01 + z * sum
        let c = r - z * sum
        let power = 1 - ((low - (r * c) / (2 - c)) - high)
        // In two steps: 2ᵏ alone may be too large or too small for a number.
        let part = (k / 2).rounded(.down)
        return power * Double(sign: .plus, exponent: Int(part), significand: 1)
            * Double(sign: .plus, exponent: Int(k - part), significand: 1)
    }

    /// `base`, 0 or more, to a power. The relative error is about 2⁻⁵² times the greater of 1 and |exponent · ln(base)|.
    package static func power(_ base: Double, _ exponent: Double) -> Double {
        guard exponent != 0 else { return 1 }
        return exp(exponent * log(base))
    }

    /// 10 to a power, with the error of `power`.
    package static func power10(_ exponent: Double) -> Double { exp(exponent * ln10) }
}
