import FeatureModel

/// The precision of given values that is less than single: each represents all numbers that round to it.
package enum ValuePrecision: String, CaseIterable, Codable, Sendable {
    /// bfloat16: 8 significant binary digits. Most of its numbers are also ones of half precision, so it comes first.
    case brain = "bfloat16"
    /// Half precision: 11 significant binary digits.
    case half = "float16"

    /// Digits after the first one.
    private var digits: Int { self == .half ? 10 : 7 }
    /// The exponent below which the distance of two numbers no longer falls.
    private var leastExponent: Int { self == .half ? -14 : -126 }

    /// Half the distance of a finite value from its neighbours: by so much, at most, was it rounded.
    func reach(_ value: Double) -> Double {
        let exponent = value == 0 ? leastExponent : max(Int(value.exponent), leastExponent)
        return Double(sign: .plus, exponent: exponent - digits - 1, significand: 1)
    }

    /// Whether a value is a number of this precision.
    private func has(_ value: Float) -> Bool {
        guard value.isFinite, value != 0 else { return true }
        let step = 2 * reach(Double(value))
        return (Double(value) / step).rounded() * step == Double(value)
            && abs(value) <= (self == .half ? 65_504 : .infinity)
    }

    /// The precision of values that are stored with more digits than they have; nil: they have all of them, or there are few values.
    static func found(in values: [Float]) -> ValuePrecision? {
        guard values.count >= fewest else { return nil }
        return allCases.first { values.allSatisfy($0.has) && !areOfFixedPoint(values) }
    }

    /// Values from which on it is no chance that all are of low precision.
    private static let fewest = 32

    /// Whether values are exact for another reason: whole numbers, or samples of 16 bits, of which quiet ones have few digits.
    private static func areOfFixedPoint(_ values: [Float]) -> Bool {
        let isUnit = values.allSatisfy { abs($0) <= 1 || !$0.isFinite }
        let steps: Float = isUnit ? 0x1p15 : 1
        return values.allSatisfy { !$0.isFinite || ($0 * steps).rounded() == $0 * steps }
    }

    /// The root of the mean square by which values were rounded: a third of the square of the reach, each.
    func rounding(of matrix: FeatureMatrix) -> Double {
        var (sum, count) = (0.0, 0)
        for value in matrix.values where value.isFinite {
            let reach = reach(Double(value))
            sum += reach * reach / 3
            count += 1
        }
        return count > 0 ? (sum / Double(count)).squareRoot() : 0
    }
}
