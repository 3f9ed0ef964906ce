/// A number of few decimal digits, `digits` × 10^`exponent`, that prints exactly.
package struct RoundNumber: Hashable, Sendable {
    package let digits: Int
    /// The power of ten, −400 … 400.
    package let exponent: Int

    package init(digits: Int, exponent: Int) {
        self.digits = digits
        self.exponent = exponent
    }

    /// The smallest of 1, 2 or 5 times a power of ten that is at least `minimum`; 1 if `minimum` is not positive and finite.
    ///
    /// - Parameter tolerance: By how much, relative to `minimum`, the step may be smaller, so that a rounding error does not miss
    ///   a step that fits exactly.
    package init(stepAtLeast minimum: Double, tolerance: Double = 1e-9) {
        guard minimum > 0, minimum.isFinite else {
            self.init(digits: 1, exponent: 0)
            return
        }
        let exponent = Self.exponent(notAbove: minimum)
        let power = Self.power(exponent)
        if let digits = [1, 2, 5].first(where: { Double($0) * power * (1 + tolerance) >= minimum }) {
            self.init(digits: digits, exponent: exponent)
        } else {
            self.init(digits: 1, exponent: exponent + 1)
        }
    }

    /// The multiples of the powers of ten by `digits` (rising, 1 … 9) within a range of positive numbers, rising.
    package static func decades(_ digits: [Int], in range: ClosedRange<Double>) -> [RoundNumber] {
        guard range.lowerBound > 0, range.upperBound.isFinite else { return [] }
        return (exponent(notAbove: range.lowerBound)...exponent(notAbove: range.upperBound)).flatMap { exponent in
            digits.map { RoundNumber(digits: $0, exponent: exponent) }.filter { range.contains($0.value) }
        }
    }

    package var value: Double { Double(digits) * Self.power(exponent) }

    /// The number with as many decimals as the exponent states: 150 × 10^−2 is "1.50".
    package var decimals: String {
        let text = String(digits.magnitude)
        guard exponent < 0 else { return sign + text + (digits == 0 ? "" : String(repeating: "0", count: exponent)) }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
        return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }

    /// The number with one digit before the point and a power of ten: "1.5e6".
    package var scientific: String {
        guard digits != 0 else { return "0" }
        let (mantissa, power) = normalized
        return sign + mantissa + "e\(power)"
    }

    /// The digits with the point after the first and without trailing zeros, and the power of ten.
    fileprivate var normalized: (mantissa: String, power: Int) {
        var text = String(digits.magnitude)
        let power = exponent + text.count - 1
        while text.count > 1, text.hasSuffix("0") { text.removeLast() }
        let fraction = text.dropFirst()
        return (text.prefix(1) + (fraction.isEmpty ? "" : "." + fraction), power)
    }

    private var sign: String { digits < 0 ? "\u{2212}" : "" }

    /// The greatest exponent whose power of ten is not above `number`, which is positive and finite.
    package static func exponent(notAbove number: Double) -> Int {
        var exponent = 0
        while exponent < 308, power(exponent + 1) <= number { exponent += 1 }
        while exponent > -320, power(exponent) > number { exponent -= 1 }
        return exponent
    }

    /// 10 to the power of `exponent`, nearest in double precision for −22 … 22.
    package static func power(_ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent.magnitude { result *= 10 }
        return exponent < 0 ? 1 / result : result
    }
}

extension Double {
    /// The number with `decimals` decimals, as `%.3f` writes it: rounded from the binary value, exact halves to even.
    ///
    /// Numbers of more than 15 digits have six significant ones instead.
    package func fixed(_ decimals: Int) -> String {
        guard isFinite, magnitude * RoundNumber.power(decimals) < 0x1p52 else { return significant(6) }
        let digits = Int(magnitude.rounded(timesTenTo: decimals))
        return (sign == .minus ? "-" : "") + RoundNumber(digits: digits, exponent: -decimals).decimals
    }

    /// The number with at most `digits` significant digits, 1 … 15, as `%.6g` writes it: 0.25, 1e-05, 1.235e+06, nan, -inf.
    ///
    /// Correctly rounded for numbers from 1e-10 to 1e+20; beyond, the last of many digits may differ by one.
    package func significant(_ digits: Int) -> String {
        guard isFinite else { return isNaN ? "nan" : self < 0 ? "-inf" : "inf" }
        let sign = sign == .minus ? "-" : ""
        guard self != 0 else { return sign + "0" }
        // Subnormal numbers would need a power of ten above the greatest double.
        let shift = magnitude < 1e-290 ? 300 : 0
        let magnitude = shift == 0 ? magnitude : magnitude * 1e300
        let scale = digits - 1 - RoundNumber.exponent(notAbove: magnitude)
        let number = RoundNumber(digits: Int(magnitude.rounded(timesTenTo: scale)), exponent: -scale - shift)
        let (mantissa, power) = number.normalized
        guard power >= -4, power < digits else {
            return sign + mantissa + (power < 0 ? "e-" : "e+") + Int(power.magnitude).padded(to: 2)
        }
        let text = number.decimals
        guard text.contains(".") else { return sign + text }
        let end = text.lastIndex { $0 != "0" } ?? text.startIndex
        return sign + (text[end] == "." ? text[..<end] : text[...end])
    }

    /// The nearest whole number to this one times 10^`exponent`; correctly rounded where that power is exact, −22 … 22.
    private func rounded(timesTenTo exponent: Int) -> Double {
        let power = RoundNumber.power(Int(exponent.magnitude))
        let scaled = exponent < 0 ? self / power : self * power
        // The rounding error of the operation decides on which side of a half the exact result is.
        let lost = exponent < 0 ? addingProduct(-scaled, power) : (-scaled).addingProduct(self, power)
        if lost != 0, scaled - scaled.rounded(.down) == 0.5 { return scaled.rounded(lost > 0 ? .up : .down) }
        return scaled.rounded(.toNearestOrEven)
    }
}
