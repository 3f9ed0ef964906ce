/// A time of day, perhaps on a known day.
package struct ClockTime: Hashable, Sendable {
    /// Seconds since midnight, 0 ..< 86,400.
    package let seconds: Double
    /// The day; nil: unknown.
    package let day: CalendarDay?

    /// Reads a time such as `05:30`, `05:30:00.5` or `2024-05-01T05:30:00`; nil where it is none.
    package init?(_ text: String) {
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
}
