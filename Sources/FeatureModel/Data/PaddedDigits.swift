extension UInt64 {
    /// The number with zeros before it up to `digits` digits: 7 → "07".
    package func padded(to digits: Int, radix: Int = 10) -> String {
        let text = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(digits - text.count, 0)) + text
    }
}

extension Int {
    /// The number, 0 or more, with zeros before it up to `digits` digits.
    package func padded(to digits: Int, radix: Int = 10) -> String {
        UInt64(magnitude).padded(to: digits, radix: radix)
    }
}
