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
        let plain = text.trimmingSpaces()
        if decimalComma, let number = withComma(plain) { return number }
        return plain.utf8.allSatisfy(FieldValue.isPartOfNumber) ? finite(Double(plain)) : nil
    }

    /// Whether a text is whole and has points between groups of three digits, as `2.000`, which may also be a decimal point; `0.512`
    /// has one.
    static func isGrouped(_ text: some StringProtocol) -> Bool { isGrouped(text, by: ".") }

    private static func isGrouped(_ text: some StringProtocol, by mark: Unicode.Scalar) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: mark), omittingEmptySubsequences: false)
        let isOfDigits = groups.allSatisfy { group in
            group.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return groups.count > 1 && isOfDigits && (1...3).contains(groups[0].count)
            && groups[0].first != UInt8(ascii: "0") && groups.dropFirst().allSatisfy { $0.count == 3 }
    }

    /// Which mark is the decimal one of a number: true, a comma; false, a point; nil: it has none, or one that may group digits.
    static func hasDecimalComma(_ text: some StringProtocol) -> Bool? {
        if text.contains(",") { return isGrouped(text, by: ",") ? nil : true }
        return text.contains(".") && !isGrouped(text) ? false : nil
    }

    /// A number with a decimal comma, without the points between its groups of three digits; nil: it has no decimal comma.
    static func withComma(_ text: String) -> Double? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].utf8.contains(UInt8(ascii: ".")) else { return nil }
        let whole = isGrouped(parts[0]) ? String(parts[0]).replacing(".", with: "") : String(parts[0])
        guard !whole.utf8.contains(UInt8(ascii: ".")) else { return nil }
        return read("\(whole).\(parts[1])")
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
        for part in parts {
            guard let number = read(part, decimalComma: decimalComma), number >= 0 else { return nil }
            seconds = seconds * 60 + number
        }
        return days * 86_400 + seconds
    }
}
