extension BinaryInteger {
    /// The number, 0 or more, with zeros before it up to `digits` digits: 7 → "07".
    package func padded(to digits: Int, radix: Int = 10) -> String {
        let text = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(digits - text.count, 0)) + text
    }
}
