import Numerics

/// sin(πx) / πx, with equal bits on every processor.
func sinc(_ x: Double) -> Double {
    guard x != 0 else { return 1 }
    return UnitCircle.point(turns: x / 2).sine / (Double.pi * x)
}

/// The modified Bessel function of order 0, by its series, whose terms are all positive: for arguments up to about 20.
func bessel(_ x: Double) -> Double {
    let square = 0.25 * x * x
    var (sum, term, n) = (1.0, 1.0, 1.0)
    while term > 1e-18 * sum {
        term *= square / (n * n)
        sum += term
        n += 1
    }
    return sum
}

/// A Kaiser window, up to a factor, at the fraction x of its half length, |x| up to 1.
func kaiser(_ x: Double, beta: Double) -> Double { bessel(beta * max(0, 1 - x * x).squareRoot()) }
