/// The constants of columns in FunASR's `am.mvn`, a network of Kaldi as text: `<AddShift>` has −mean, and `<Rescale>` 1/std.
///
///     <AddShift> 560 560
///     <LearnRateCoef> 0 [ -8.3 -8.6 … ]
package enum ShiftAndScale {
    /// What such a text lacks.
    package struct Problem: Error, Hashable {
        package let expected: String, found: String
    }

    private static let (shift, scale) = ("<AddShift>", "<Rescale>")

    /// Whether a text has either component.
    package static func isPart(of text: String) -> Bool { text.contains(shift) || text.contains(scale) }

    /// The mean of each column.
    ///
    /// - Throws: `Problem`.
    package static func mean(in text: String) throws(Problem) -> [Double] {
        try numbers(after: shift, in: text).map { -$0 }
    }

    /// The standard deviation of each column.
    ///
    /// - Throws: `Problem`, also where a scale is not above 0.
    package static func std(in text: String) throws(Problem) -> [Double] {
        let scales = try numbers(after: scale, in: text)
        if let column = scales.firstIndex(where: { !($0 > 0) }) {
            throw Problem(expected: "scales above 0 in \(scale)", found: "\(scales[column]) in column \(column)")
        }
        return scales.map { 1 / $0 }
    }

    /// The finite numbers in the first brackets after a component's name.
    private static func numbers(after name: String, in text: String) throws(Problem) -> [Double] {
        guard let start = text.ranges(of: name).first?.upperBound,
            let opening = text[start...].firstIndex(of: "["), let closing = text[opening...].firstIndex(of: "]")
        else { throw Problem(expected: "\(name) with a vector in brackets", found: "none") }
        var numbers: [Double] = []
        for word in text[opening..<closing].dropFirst().split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            guard let number = Double(word), number.isFinite else {
                throw Problem(expected: "finite numbers after \(name)", found: "'\(String(word).excerpt)'")
            }
            numbers.append(number)
        }
        return numbers
    }
}
