package struct AxisTick: Hashable, Sendable {
    /// Its position: 0 at the low end of the axis (left, bottom), 1 at the high end.
    package let position: Double
    package let label: String

    package init(position: Double, label: String) {
        self.position = position
        self.label = label
    }
}

/// Equally spaced round numbers: the multiples of 1, 2 or 5 times a power of ten.
package struct RoundSteps: Sendable {
    package let numbers: [RoundNumber]

    /// The finest steps that give at most `count` (2 or more) intervals over the range, and are no finer than `minimumStep`.
    ///
    /// - Precondition: both ends are finite, and the upper lies above the lower.
    package init(_ range: ClosedRange<Double>, atMost count: Int, minimumStep: Double = 0) {
        let span = range.upperBound - range.lowerBound
        precondition(span > 0 && span.isFinite, "steps need a range")
        let unit = RoundNumber(stepAtLeast: max(span / Double(max(count, 2)), minimumStep, .leastNormalMagnitude * 1e8))
        let slack = span * 1e-9
        // In a narrow range far from 0, multiples exceed an Int or a label.
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
