/// A colour of three 8-bit components, sRGB.
package struct RGB: Hashable, Sendable {
    /// Red, 0 … 255.
    package let red: UInt8
    /// Green, 0 … 255.
    package let green: UInt8
    /// Blue, 0 … 255.
    package let blue: UInt8

    /// Keeps the components.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Takes the components from 0xRRGGBB; the upper 8 bits are ignored.
    package init(hex: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
            blue: UInt8(truncatingIfNeeded: hex))
    }

    /// The colour as 0xRRGGBB.
    package var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
