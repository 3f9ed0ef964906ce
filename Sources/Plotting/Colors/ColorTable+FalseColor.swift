extension ColorTable {
    /// The false-colour entry of `index`: from blue to red in hue, and from dark to bright, after which red and green
    /// change places. Fractions of an 8-bit step are dropped, as the original program does.
    static func falseColorEntry(_ index: UInt8) -> RGB {
        let fraction = Double(index) / 255
        let color = saturated(hue: 0.6666 - 0.6666 * fraction, brightness: fraction.squareRoot())
        return RGB(red: UInt8(color.green * 255), green: UInt8(color.red * 255), blue: UInt8(color.blue * 255))
    }

    /// A colour of full saturation; `hue` 0 …< 1 (red, green at ⅓, blue at ⅔), `brightness` 0 … 1.
    private static func saturated(hue: Double, brightness: Double) -> (red: Double, green: Double, blue: Double) {
        let sixths = hue * 6
        let sector = Int(sixths)
        let rising = brightness * (sixths - Double(sector))
        let falling = brightness * (1 - (sixths - Double(sector)))
        return switch sector {
        case 0: (brightness, rising, 0)
        case 1: (falling, brightness, 0)
        case 2: (0, brightness, rising)
        case 3: (0, falling, brightness)
        case 4: (rising, 0, brightness)
        default: (brightness, 0, falling)
        }
    }
}
