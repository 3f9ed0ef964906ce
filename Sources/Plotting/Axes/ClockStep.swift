import Presentation

/// A step between ticks that read minutes or hours: one of those that clocks have, or a round part of a second.
struct ClockStep: Hashable, Sendable {
    /// A multiple of a step, taken apart.
    struct Time {
        /// Whether it lies before 0.
        let isNegative: Bool
        /// Whole days.
        let days: Int
        /// Minutes of the day, 0 ..< 1440.
        let minutes: Int
        /// Seconds of the minute, 0 ..< 60.
        let seconds: Int
        /// The decimals of the seconds with their point; empty: none.
        let fraction: String
    }

    /// The step, as a number of parts of a second.
    private let parts: Int
    /// The decimals of a second that a part is: 0 for whole seconds.
    private let decimals: Int

    /// The least step that is not below `seconds`, which is above 0.
    ///
    /// - Parameter isWhole: Whether it is a number of minutes.
    init(atLeast seconds: Double, isWhole: Bool = false) {
        let wanted = seconds * (1 - 1e-9)
        if !isWhole, wanted <= 0.5 {
            // Microseconds are finer than any picture shows.
            for decimals in stride(from: 6, through: 1, by: -1) {
                for digit in [1, 2, 5] where Double(digit) / RoundNumber.power(decimals) >= wanted {
                    self.parts = digit
                    self.decimals = decimals
                    return
                }
            }
        }
        let steps = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
        ]
        let allowed = isWhole ? steps.filter { $0 >= 60 } : steps
        decimals = 0
        if let step = allowed.first(where: { Double($0) >= wanted }) {
            parts = step
            return
        }
        var days = 1
        while Double(days) * 86_400 < wanted, days < 1 << 40 { days *= 2 }
        parts = days * 86_400
    }

    /// The step in seconds.
    var seconds: Double { Double(parts) / RoundNumber.power(decimals) }

    /// Whether it is a number of minutes.
    var isOfMinutes: Bool { decimals == 0 && parts % 60 == 0 }

    /// A multiple of the step. Times before midnight count from it: −5 s is the negative of 5 s.
    func time(_ multiple: Int) -> Time {
        var power = 1
        for _ in 0..<decimals { power *= 10 }
        let total = (multiple * parts).magnitude
        let rest = Int(total) % power
        let whole = Int(total) / power
        let fraction = decimals == 0 ? "" : "." + rest.padded(to: decimals)
        return Time(
            isNegative: multiple < 0, days: whole / 86_400, minutes: whole % 86_400 / 60, seconds: whole % 60,
            fraction: fraction)
    }
}
