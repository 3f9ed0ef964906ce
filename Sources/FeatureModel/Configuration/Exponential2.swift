/// 2 to the power of `exponent`, −1000 … 1000, within an ulp or two: this module has no mathematics library.
///
/// The whole part is the exponent of the result; 2ᶠ of the rest, −½ … ½, is the power series of e^(f ln 2), whose terms
/// fall below 10⁻¹⁷ after fifteen. Summed from the smallest term on, so that roundings do not add up.
func exponential2(_ exponent: Double) -> Double {
    let whole = exponent.rounded()
    let x = (exponent - whole) * 0.693147180559945309417
    var sum = 1.0
    for n in (1...16).reversed() { sum = 1 + x / Double(n) * sum }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
}
