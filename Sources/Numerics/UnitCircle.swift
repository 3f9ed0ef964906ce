/// Points on the unit circle, for tables of twiddle factors.
///
/// Not by the C library: its cosine may have other last bits on other processors, and a table must not. The operations here
/// are rounded in the same way everywhere. The error is less than a unit in the last place.
package enum UnitCircle {
    /// Cosine and sine of 2πk/n.
    ///
    /// The angle is reduced to an eighth of a turn in integers, where the polynomials of fdlibm (`k_sin.c`, `k_cos.c`)
    /// apply.
    ///
    /// - Parameters:
    ///   - k: 0 or more; 4k is a valid number.
    ///   - n: 1 or more.
    package static func point(_ k: Int, of n: Int) -> (cosine: Double, sine: Double) {
        let (quarter, rest) = (4 * (k % n)).quotientAndRemainder(dividingBy: n)
        let isPastMiddle = 2 * rest > n
        // The angle, and what rounding took from it: from the quotient, from its product with π/2, and from π/2 itself.
        let (part, whole) = (Double(isPastMiddle ? n - rest : rest), Double(n))
        let quotient = part / whole
        let angle = quotient * (Double.pi / 2)
        let missing =
            (-angle).addingProduct(quotient, Double.pi / 2) + quotient * 6.123233995736766e-17
            + part.addingProduct(-quotient, whole) / whole * (Double.pi / 2)
        var (x, y) = (cosine(angle, missing), sine(angle, missing))
        if isPastMiddle { swap(&x, &y) }
        return switch quarter {
        case 0: (x, y)
        case 1: (-y, x)
        case 2: (-x, -y)
        default: (y, -x)
        }
    }

    /// Cosine and sine of 2π · turns.
    ///
    /// - Parameter turns: Turns of any size and sign; the error of its own last digit counts.
    package static func point(turns: Double) -> (cosine: Double, sine: Double) {
        let quarters = (4 * turns).rounded()
        // Exact: from −½ to ½ of a quarter.
        let rest = 4 * turns - quarters
        let angle = rest * (Double.pi / 2)
        let missing = (-angle).addingProduct(rest, Double.pi / 2) + rest * 6.123233995736766e-17
        let (x, y) = (cosine(angle, missing), sine(angle, missing))
        return switch Int(quarters - 4 * (quarters / 4).rounded(.down)) {
        case 0: (x, y)
        case 1: (-y, x)
        case 2: (-x, -y)
        default: (y, -x)
        }
    }

    /// The sine of x + `low`, |x| up to π/4.
    private static func sine(_ x: Double, _ low: Double) -> Double {
        let z = x * x
        var sum = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
        sum = 2.75573137070700676789e-06 + z * sum
        sum = -1.98412698298579493134e-04 + z * sum
        sum = 8.33333333332248946124e-03 + z * sum
        return x + (z * x * (-1.66666666666666324348e-01 + z * sum) + low * (1 - 0.5 * z))
    }

    /// The cosine of x + `low`, |x| up to π/4.
    private static func cosine(_ x: Double, _ low: Double) -> Double {
        let z = x * x
        var sum = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11
        sum = -2.75573143513906633035e-07 + z * sum
        sum = 2.48015872894767294178e-05 + z * sum
        sum = -1.38888888888741095749e-03 + z * sum
        sum = 4.16666666666666019037e-02 + z * sum
        let half = 0.5 * z
        let near = 1 - half
        // What 1 − z/2 lost by rounding is added again.
        return near + (((1 - near) - half) + (z * z * sum - x * low))
    }
}
