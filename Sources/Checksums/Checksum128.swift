package struct Checksum128: Hashable, Sendable {
    /// The more significant half.
    package let high: UInt64
    /// The less significant half.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 32 hexadecimal digits; nil for anything else.
    package init?(hex: String) {
        let digits = Array(hex.utf8)
        // `UInt64` also reads a sign.
        guard digits.count == 32, digits.allSatisfy(Self.isDigit),
            let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// 32 lower-case hexadecimal digits, the most significant first, as `xxh128sum` prints them.
    package var hex: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 {
                let half = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: half >> UInt64(4 * (15 - index % 16))) & 15
                digits.initializeElement(at: index, to: digit < 10 ? 48 + digit : 87 + digit)
            }
            return 32
        }
    }
}

extension Checksum128: CustomStringConvertible {
    package var description: String { hex }
}
