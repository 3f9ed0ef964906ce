/// A sum of durations in seconds, exact to 2⁻⁶⁴ s each. It does not depend on the order in which workers add theirs.
struct DurationSum: Hashable, Sendable {
    /// The sum in units of 2⁻⁶⁴ s.
    private var units: Int128 = 0

    /// The sum in seconds.
    var seconds: Double { Double(units) * 0x1p-64 }

    /// Adds a duration; what no recording lasts counts as 1e11 s, and what is not a number as nothing.
    static func += (sum: inout DurationSum, seconds: Double) {
        if seconds > 0 { sum.units += Int128(min(seconds, 1e11) * 0x1p64) }
    }

    /// Takes back what was added.
    static func -= (sum: inout DurationSum, seconds: Double) {
        if seconds > 0 { sum.units -= Int128(min(seconds, 1e11) * 0x1p64) }
    }

    static func += (sum: inout DurationSum, other: DurationSum) { sum.units += other.units }

    static func -= (sum: inout DurationSum, other: DurationSum) { sum.units -= other.units }
}
