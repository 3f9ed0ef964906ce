/// A colour of a cell: the terminal's own, one of its 256, or one of 24 bits.
package struct TerminalColor: Hashable, Sendable {
    /// 0xRRGGBB, or with one of the bits below.
    let code: UInt32

    private static let indexedBit: UInt32 = 1 << 24

    private init(code: UInt32) { self.code = code }

    /// What the terminal draws in where nothing is asked for.
    package static let standard = TerminalColor(code: 1 << 25)

    /// A colour of three 8-bit components.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        code = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// One of the 256 colours of xterm and its kin.
    package init(indexed index: UInt8) { code = Self.indexedBit | UInt32(index) }

    /// The number of a colour of the 256; nil for another.
    package var index: UInt8? { code & Self.indexedBit != 0 ? UInt8(truncatingIfNeeded: code) : nil }

    /// The components of a colour of 24 bits; nil for another.
    package var components: (red: UInt8, green: UInt8, blue: UInt8)? {
        guard code < Self.indexedBit else { return nil }
        return (
            UInt8(truncatingIfNeeded: code >> 16), UInt8(truncatingIfNeeded: code >> 8),
            UInt8(truncatingIfNeeded: code)
        )
    }
}
