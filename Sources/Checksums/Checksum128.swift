package struct Checksum128: Hashable, Sendable, CustomStringConvertible {
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
        // `UInt64` also reads a sign, which is less than any digit.
        guard digits.count == 32, digits.allSatisfy({ $0 >= UInt8(ascii: "0") }),
            let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 32 lower-case hexadecimal digits, the most significant first, as `xxh128sum` prints them.
    package var hex: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for index in 0..<32 { digits.initializeElement(at: index, to: digit(index)) }
            return 32
        }
    }

    /// Whether bytes are those of `hex`.
    package func hasDigits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 32 && bytes.indices.allSatisfy { bytes[$0] == digit($0) }
    }

    private func digit(_ index: Int) -> UInt8 {
        let half = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half >> UInt64(4 * (15 - index % 16))) & 15
        return digit < 10 ? 48 + digit : 87 + digit
    }

    package var description: String { hex }
}
