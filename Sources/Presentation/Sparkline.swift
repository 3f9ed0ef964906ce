/// Columns of text whose heights show numbers.
package enum Sparkline {
    /// A column for each count: blank for 0, otherwise as high as its share of the maximum.
    package static func counts(_ counts: [Int], style: ReportStyle) -> String {
        let steps = steps(style)
        let maximum = Double(max(counts.max() ?? 0, 1))
        return String(
            counts.map { count in
                count <= 0 ? " " : steps[min(Int(Double(count) / maximum * Double(steps.count)), steps.count - 1)]
            })
    }

    /// A column for each number: the lowest for the minimum, the highest for the maximum, ? for what is not finite.
    package static func levels(_ numbers: [Double], style: ReportStyle) -> String {
        let steps = steps(style)
        let finite = numbers.filter(\.isFinite)
        let (minimum, maximum) = (finite.min() ?? 0, finite.max() ?? 0)
        let span = maximum / 2 - minimum / 2
        return String(
            numbers.map { number in
                guard number.isFinite else { return "?" }
                let share = span > 0 ? (number / 2 - minimum / 2) / span : 0
                return steps[min(Int(share * Double(steps.count)), steps.count - 1)]
            })
    }

    /// The numbers combined in `count` groups of neighbours of nearly equal size, or all of no more than `count` numbers.
    package static func grouped<Number>(_ numbers: [Number], into count: Int, by combine: ([Number]) -> Number)
        -> [Number]
    {
        guard numbers.count > count, count > 0 else { return numbers }
        return (0..<count).map { group in
            combine(Array(numbers[group * numbers.count / count..<(group + 1) * numbers.count / count]))
        }
    }

    private static func steps(_ style: ReportStyle) -> [Character] { Array(style.isUnicode ? "▁▂▃▄▅▆▇█" : ".:-=+*#@") }
}

package enum Bar {
    /// A bar for a share, 0 … 1, of `columns`, in steps of an eighth of a column, or of a whole one in ASCII; a share above 0 has
    /// one step at least.
    package static func text(_ share: Double, columns: Int, style: ReportStyle) -> String {
        guard share > 0, columns > 0 else { return "" }
        let length = min(share, 1) * Double(columns)
        guard style.isUnicode else { return String(repeating: "#", count: max(Int(length.rounded()), 1)) }
        let eighths = max(Int((length * 8).rounded()), 1)
        let rest = eighths % 8
        return String(repeating: "█", count: eighths / 8) + (rest > 0 ? String(parts[rest - 1]) : "")
    }

    private static let parts = Array("▏▎▍▌▋▊▉")
}
