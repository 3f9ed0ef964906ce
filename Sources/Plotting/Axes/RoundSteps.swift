/// Equally spaced round numbers: the multiples of 1, 2 or 5 times a power of ten.
package struct RoundSteps: Sendable {
    /// The multiples within the range, in rising order.
    let numbers: [RoundNumber]

    /// The finest steps that give at most `count` (2 or more) intervals over the range, and are no finer than `least`.
    ///
    /// - Precondition: both ends are finite, and the upper lies above the lower.
    package init(_ range: ClosedRange<Double>, atMost count: Int, least: Double = 0) {
        let span = range.upperBound - range.lowerBound
        precondition(span > 0 && span.isFinite, "steps need a range")
        let wanted = max(span / Double(max(count, 2)), least, .leastNormalMagnitude * 1e8)
        let exponent = RoundNumber.exponent(notAbove: wanted)
        // 1 + 1e-9: a step that is wanted exactly must not be missed by a rounding error.
        let fitting = [1, 2, 5, 10].first { Double($0) * RoundNumber.power(exponent) * (1 + 1e-9) >= wanted } ?? 10
        let unit =
            fitting == 10
            ? RoundNumber(digits: 1, exponent: exponent + 1) : RoundNumber(digits: fitting, exponent: exponent)
        let slack = span * 1e-9
        // Where the range is narrow for its distance from 0, multiples are beyond what an Int or a label can hold.
        guard
            let first = Int(exactly: ((range.lowerBound - slack) / unit.value).rounded(.up)),
            let last = Int(exactly: ((range.upperBound + slack) / unit.value).rounded(.down)),
            first <= last, max(first.magnitude, last.magnitude) < 1 << 53
        else {
            numbers = []
            return
        }
        numbers = (first...last).map { RoundNumber(digits: $0 * unit.digits, exponent: unit.exponent) }
    }

    /// Labels of the numbers, all in one style: decimals, or powers of ten for very large and very small numbers.
    package var labels: [String] {
        let largest = numbers.map(\.value.magnitude).max() ?? 0
        let scientific = largest >= 1e6 || (largest > 0 && largest < 1e-3)
        return numbers.map { scientific ? $0.scientific : $0.decimals }
    }

    /// Ticks of an axis on which positions grow evenly from one end of `range` to the other.
    package func ticks(over range: ClosedRange<Double>) -> [AxisTick] {
        zip(numbers, labels).map { number, label in
            let position = (number.value - range.lowerBound) / (range.upperBound - range.lowerBound)
            return AxisTick(position: min(max(position, 0), 1), label: label)
        }
    }
}
