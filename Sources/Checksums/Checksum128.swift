/// A checksum of 128 bits.
package struct Checksum128: Hashable, Sendable {
    /// The more significant half.
    package let high: UInt64
    /// The less significant half.
    package let low: UInt64

    /// Keeps the halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 lower-case hexadecimal digits, the most significant first, as `xxh128sum` prints them.
    package var hex: String { Self.digits(high) + Self.digits(low) }

    /// 16 hexadecimal digits.
    private static func digits(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}

extension Checksum128: CustomStringConvertible {
    /// The hexadecimal digits.
    package var description: String { hex }
}
