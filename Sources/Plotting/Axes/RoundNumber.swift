/// A number of few decimal digits, `digits` × 10^`exponent`, that prints exactly.
struct RoundNumber: Hashable, Sendable {
    /// The digits, with their sign.
    let digits: Int
    /// The power of ten, −400 … 400.
    let exponent: Int

    /// The number itself, rounded to double precision.
    var value: Double { Double(digits) * Self.power(exponent) }

    /// The number in plain decimals, as many as the exponent asks for: 150 × 10^−2 is "1.50".
    var decimals: String {
        let text = String(digits.magnitude)
        guard exponent < 0 else { return sign + text + (digits == 0 ? "" : String(repeating: "0", count: exponent)) }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - text.count)) + text
        return sign + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }

    /// The number with one digit before the point and a power of ten: "1.5e6".
    var scientific: String {
        var text = String(digits.magnitude)
        guard digits != 0 else { return text }
        let power = exponent + text.count - 1
        while text.count > 1, text.hasSuffix("0") { text.removeLast() }
        let fraction = text.dropFirst()
        return sign + text.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e\(power)"
    }

    private var sign: String { digits < 0 ? "\u{2212}" : "" }

    /// The greatest exponent whose power of ten is not above `number`, which is positive and finite.
    static func exponent(notAbove number: Double) -> Int {
        var exponent = 0
        while exponent < 308, power(exponent + 1) <= number { exponent += 1 }
        while exponent > -320, power(exponent) > number { exponent -= 1 }
        return exponent
    }

    /// 10 to the power of `exponent`, nearest in double precision for −22 … 22.
    static func power(_ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent.magnitude { result *= 10 }
        return exponent < 0 ? 1 / result : result
    }
}
