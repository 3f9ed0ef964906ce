import Manifests

/// Numbers and times as people and programs write them, such as in the fields of annotation files.
package enum FieldNumber {
    /// No time, position or frequency is as large, and sums of smaller ones stay finite.
    private static let maximum = 1e15

    /// A finite number; nil for other text. Where the fields are not separated by commas, a comma may be the decimal point, as
    /// programs write it in some countries.
    static func read(_ text: some StringProtocol, decimalComma: Bool = false) -> Double? {
        // Swift's own parser would accept "nan", "inf" and hexadecimal numbers.
        if text.utf8.allSatisfy(FieldValue.isPartOfNumber) { return finite(Double(text)) }
        return finite(FieldValue.number(String(text.trimmingSpaces()), decimalComma: decimalComma))
    }

    /// Whether a field is empty, or says in a usual way that there is no number.
    static func saysNone(_ text: some StringProtocol) -> Bool {
        none.contains(text.trimmingSpaces().lowercased())
    }

    private static let none: Set = ["", "na", "n/a", "nan", "null", "none", "-"]

    private static func finite(_ number: Double?) -> Double? {
        guard let number, number.magnitude < maximum else { return nil }
        // Adding 0 makes −0 a plain 0.
        return number + 0
    }

    /// Start and length added and rounded to a nanosecond, so that 0.1 and 0.2 give 0.3 as a column of ends would.
    static func end(of start: Double, _ length: Double) -> Double {
        let exact = start + length
        let rounded = (exact * 1e9).rounded() / 1e9
        return abs(rounded - exact) < 1e-9 ? rounded : exact
    }

    /// Seconds, or a time as `1:30.5` or `0 days 00:01:30.5`, which is in seconds for every unit.
    package static func time(_ text: some StringProtocol, decimalComma: Bool = false, perSecond: Double = 1) -> Double?
    {
        if let number = read(text, decimalComma: decimalComma) { return perSecond == 1 ? number : number / perSecond }
        var clock = text.lowercased()[...]
        var days = 0.0
        if let range = clock.firstRange(of: " day") {
            guard let count = read(clock[..<range.lowerBound]) else { return nil }
            days = count
            clock = clock[range.upperBound...].drop { $0 == "s" || $0 == "," || $0 == " " }
        }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            // Hours and minutes with a fraction are a mistake: `1.5:00` may be meant as 1:05.
            guard let number = read(part, decimalComma: decimalComma), number >= 0,
                index == parts.count - 1 || number == number.rounded()
            else { return nil }
            seconds = seconds * 60 + number
        }
        return days * 86_400 + seconds
    }
}
