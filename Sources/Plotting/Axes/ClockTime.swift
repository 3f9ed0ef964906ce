import Presentation

package struct ClockTime: Hashable, Sendable {
    /// Seconds since midnight, 0 ..< 86,400.
    package let seconds: Double
    /// The day; nil: unknown.
    package let day: CalendarDay?
    /// How far the clock is ahead of UTC; nil: unknown.
    package let zone: ClockZone?

    /// Reads a time such as `05:30`, `05:30:00.5` or `2024-05-01T05:30:00`, each also with a zone, such as
    /// `2024-05-01T05:30:00-05:00` or `05:30Z`; nil: it is not one.
    package init?(_ text: String) {
        guard let (text, zone) = ClockZone.split(text) else { return nil }
        self.zone = zone
        let halves = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        guard (1...2).contains(halves.count), let time = halves.last else { return nil }
        if halves.count == 2 {
            guard let day = CalendarDay(String(halves[0])) else { return nil }
            self.day = day
        } else {
            day = nil
        }
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.allSatisfy { "0123456789.".contains($0) } }),
            let hours = Int(parts[0]), (0..<24).contains(hours), let minutes = Int(parts[1]), (0..<60).contains(minutes)
        else { return nil }
        guard let rest = parts.count == 3 ? Double(parts[2]) : 0, (0..<60).contains(rest) else { return nil }
        seconds = Double(hours * 3600 + minutes * 60) + rest
    }

    /// The time in the name that a recorder gave a file, such as `site_20240501_053000.wav`; nil: there is none.
    package init?(inNameOf path: String) {
        let name = path.split(separator: "/").last ?? ""
        let runs = name.split(omittingEmptySubsequences: false) { !("0"..."9").contains($0) }
        let found = zip(runs, runs.dropFirst()).lazy.compactMap { day, time -> ClockTime? in
            guard day.count == 8, time.count == 6 else { return nil }
            func part(_ text: Substring, _ from: Int, _ count: Int = 2) -> Substring {
                text.dropFirst(from).prefix(count)
            }
            return ClockTime(
                "\(part(day, 0, 4))-\(part(day, 4))-\(part(day, 6))T\(part(time, 0)):\(part(time, 2)):\(part(time, 4))")
        }.first
        guard let found else { return nil }
        self = found
    }
}

/// A day of the Gregorian calendar.
package struct CalendarDay: Hashable, Sendable {
    /// The year, 1 … 9999.
    package private(set) var year: Int
    /// The month, 1 … 12.
    package private(set) var month: Int
    package private(set) var day: Int

    /// Reads a day such as `2024-05-01`; nil: it is not one.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1...9999).contains(year), (1...12).contains(month)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        guard (1...daysInMonth).contains(day) else { return nil }
    }

    /// The day `days` days, 0 or more, after this one. O(days).
    package func advanced(by days: Int) -> CalendarDay {
        var result = self
        for _ in 0..<max(days, 0) {
            result.day += 1
            guard result.day > result.daysInMonth else { continue }
            result.day = 1
            result.month += 1
            guard result.month > 12 else { continue }
            result.month = 1
            result.year += 1
        }
        return result
    }

    /// The day as `2024-05-01`.
    package var text: String { "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))" }

    private var daysInMonth: Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

/// A step between ticks that read minutes or hours: a division of a clock, or a round part of a second.
struct ClockStep: Hashable, Sendable {
    struct Time {
        let isNegative: Bool
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

    /// The smallest step that is not below `seconds`, which is above 0.
    ///
    /// - Parameter isWhole: Whether it is a number of minutes.
    init(atLeast seconds: Double, isWhole: Bool = false) {
        let wanted = seconds * (1 - 1e-9)
        if !isWhole, wanted <= 0.5 {
            // Microseconds are finer than any picture shows.
            let step = RoundNumber(stepAtLeast: max(seconds, 1e-6))
            (parts, decimals) = (step.digits, -step.exponent)
            return
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

    var seconds: Double { Double(parts) / RoundNumber.power(decimals) }

    var isOfMinutes: Bool { decimals == 0 && parts % 60 == 0 }

    /// A multiple of the step. Times before midnight count from it: −5 s is the negative of 5 s.
    func time(_ multiple: Int) -> Time {
        let power = Int(RoundNumber.power(decimals))
        let total = (multiple * parts).magnitude
        let rest = Int(total) % power
        let whole = Int(total) / power
        let fraction = decimals == 0 ? "" : "." + rest.padded(to: decimals)
        return Time(
            isNegative: multiple < 0, days: whole / 86_400, minutes: whole % 86_400 / 60, seconds: whole % 60,
            fraction: fraction)
    }
}
