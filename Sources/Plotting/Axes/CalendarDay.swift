/// A day of the Gregorian calendar.
package struct CalendarDay: Hashable, Sendable {
    /// The year, 1 … 9999.
    package private(set) var year: Int
    /// The month, 1 … 12.
    package private(set) var month: Int
    /// The day of the month, from 1.
    package private(set) var day: Int

    /// Reads a day such as `2024-05-01`; nil where there is none.
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

    /// The day that lies so many days, 0 or more, behind this one. The cost grows with them.
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
