/// Columns of text that stand for numbers by their height.
enum Sparkline {
    /// A column for each count: blank for 0, the lowest step for the least others, the highest for the greatest.
    static func counts(_ counts: [Int], style: ReportStyle) -> String {
        let steps = steps(style)
        let most = Double(max(counts.max() ?? 0, 1))
        return String(
            counts.map { count in
                count <= 0 ? " " : steps[min(Int(Double(count) / most * Double(steps.count)), steps.count - 1)]
            })
    }

    /// A column for each number: the lowest step for the least, the highest for the greatest, ? for what is not finite.
    static func levels(_ numbers: [Double], style: ReportStyle) -> String {
        let steps = steps(style)
        let finite = numbers.filter(\.isFinite)
        let (least, greatest) = (finite.min() ?? 0, finite.max() ?? 0)
        let span = greatest / 2 - least / 2
        return String(
            numbers.map { number in
                guard number.isFinite else { return "?" }
                let share = span > 0 ? (number / 2 - least / 2) / span : 0
                return steps[min(Int(share * Double(steps.count)), steps.count - 1)]
            })
    }

    /// The numbers of `count` neighbouring groups, of nearly equal size, each brought to one; all of them where there
    /// are no more.
    static func grouped<Number>(_ numbers: [Number], into count: Int, by combine: ([Number]) -> Number) -> [Number] {
        guard numbers.count > count, count > 0 else { return numbers }
        return (0..<count).map { group in
            combine(Array(numbers[group * numbers.count / count..<(group + 1) * numbers.count / count]))
        }
    }

    private static func steps(_ style: ReportStyle) -> [Character] { Array(style.isUnicode ? "▁▂▃▄▅▆▇█" : ".:-=+*#@") }
}
