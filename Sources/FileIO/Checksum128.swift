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
        var (high, low, count): (UInt64, UInt64, Int) = (0, 0, 0)
        for byte in hex.utf8 {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
            count += 1
        }
        guard count == 32 else { return nil }
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
