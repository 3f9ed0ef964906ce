/// A sum of durations in seconds, each to the nanosecond. It does not depend on the order in which workers add theirs.
struct DurationSum: Hashable, Sendable {
    private var (whole, nanoseconds) = (0, 0)

    /// The sum in seconds.
    var seconds: Double { Double(whole) + Double(nanoseconds) / 1e9 }

    /// Adds a duration; what no recording lasts counts as 1e11 s, and what is not a number as nothing.
    static func += (sum: inout DurationSum, seconds: Double) {
        guard seconds > 0 else { return }
        let seconds = min(seconds, 1e11)
        sum.whole += Int(seconds)
        sum.nanoseconds += Int(((seconds - seconds.rounded(.down)) * 1e9).rounded())
    }

    static func += (sum: inout DurationSum, other: DurationSum) {
        sum.whole += other.whole
        sum.nanoseconds += other.nanoseconds
    }

    static func -= (sum: inout DurationSum, other: DurationSum) {
        sum.whole -= other.whole
        sum.nanoseconds -= other.nanoseconds
    }
}
