/// The constants of columns in FunASR's `am.mvn`, a network of Kaldi as text: `<AddShift>` has −mean, and `<Rescale>` 1/std.
///
///     <AddShift> 560 560
///     <LearnRateCoef> 0 [ -8.3 -8.6 … ]
package enum ShiftAndScale {
    /// What is wrong with such a text.
    package struct Problem: Error, Hashable {
        package let expected: String, found: String
    }

    private static let (shift, scale) = ("<AddShift>", "<Rescale>")

    /// Whether a text has either component.
    package static func isPart(of text: String) -> Bool { text.contains(shift) || text.contains(scale) }

    /// The mean of each column.
    ///
    /// - Throws: `Problem`, also where one is out of its range.
    package static func mean(in text: String) throws(Problem) -> [Double] {
        try numbers(after: shift, in: text, from: NormalizeConfiguration.means).map { -$0 }
    }

    /// The standard deviation of each column.
    ///
    /// - Throws: `Problem`, also where one is out of its range.
    package static func std(in text: String) throws(Problem) -> [Double] {
        // 1/std has the range of std, but for rounding.
        let range = NormalizeConfiguration.deviations
        return try numbers(after: scale, in: text, from: range).map {
            min(max(1 / $0, range.lowerBound), range.upperBound)
        }
    }

    /// The numbers in the first brackets after a component's name, and before the other component.
    private static func numbers(
        after name: String, in text: String, from range: ClosedRange<Double>
    ) throws(Problem) -> [Double] {
        guard let start = text.ranges(of: name).first?.upperBound,
            let opening = text[start...].firstIndex(of: "["), let closing = text[opening...].firstIndex(of: "]"),
            !isPart(of: String(text[start..<opening]))
        else { throw Problem(expected: "\(name) with a vector in brackets", found: "none") }
        var numbers: [Double] = []
        for word in text[opening..<closing].dropFirst().split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            guard let number = Double(word) else {
                throw Problem(expected: "numbers after \(name)", found: "'\(String(word).excerpt)'")
            }
            numbers.append(number)
        }
        if let outside = ColumnConstants.firstOutside(range, numbers) {
            throw Problem(
                expected: "numbers from \(range.lowerBound) to \(range.upperBound) in \(name)", found: outside)
        }
        return numbers
    }
}
