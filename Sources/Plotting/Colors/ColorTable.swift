/// A table of 256 colours, from the least to the greatest value of a picture.
package enum ColorTable: String, CaseIterable, Sendable {
    /// matplotlib's default: dark violet, green, yellow; even steps of lightness, readable with defective colour vision.
    case viridis
    /// Black, violet, orange, pale yellow; even steps of lightness.
    case magma
    /// Black, violet, orange, yellow; even steps of lightness, stronger colours than `magma`.
    case inferno
    /// Dark blue, grey, yellow; looks the same with and without red and green.
    case cividis
    /// Black to white; for print.
    case grey
    /// White to black: loud is dark, as in printed sonograms.
    case greyInverted = "grey-inverted"
    /// The table of the scrolling DCT spectrogram: black, dark blue, red, full green.
    case falseColor = "false-color"

    /// The decibels over 1024 that the scrolling DCT spectrogram maps to entries 0 and 255 of `falseColor`:
    /// 0 … 20·log10(32767 / 1024). Values outside are clamped.
    package static let falseColorRange: ClosedRange<Float> = 0...30.102_734

    package var entries: [RGB] {
        switch self {
        case .viridis: Self.viridisEntries
        case .magma: Self.magmaEntries
        case .inferno: Self.infernoEntries
        case .cividis: Self.cividisEntries
        case .grey: Self.greyEntries
        case .greyInverted: Self.greyInvertedEntries
        case .falseColor: Self.falseColorEntries
        }
    }

    /// The colour at a fraction of the range, 0 … 1, rounded to the nearest of the 256 entries.
    ///
    /// Fractions outside are clamped; a fraction that is not a number gives the colour `invalid`.
    package func color(_ fraction: Float) -> RGB { fraction.isNaN ? invalid : entries[Self.index(Double(fraction))] }

    /// The colour of values that are infinite or not numbers; no entry of the table is like it.
    package var invalid: RGB {
        switch self {
        case .viridis, .magma, .falseColor: RGB(hex: 0x9A9A9A)
        case .inferno: RGB(hex: 0x7FB2C8)
        case .grey, .greyInverted, .cividis: RGB(hex: 0xFF5FA2)
        }
    }

    /// The nearest entry, 0 … 255, to a fraction that is a number.
    static func index(_ fraction: Double) -> Int { Int((min(max(fraction, 0), 1) * 255).rounded()) }

    private static let viridisEntries = stored("viridis")
    private static let magmaEntries = stored("magma")
    private static let infernoEntries = stored("inferno")
    private static let cividisEntries = stored("cividis")
    private static let greyEntries = (0...255).map { RGB(red: $0, green: $0, blue: $0) }
    private static let greyInvertedEntries = Array(greyEntries.reversed())
    private static let falseColorEntries = (0...255).map(falseColorEntry)

    /// A table of matplotlib, as `Tests/Fixtures/plotting-colors.py` writes them: a line for each, its name and 256 colours. Their data is
    /// in the public domain (CC0): cividis by Jamie R. Nunez and others, the others by Nathaniel J. Smith and Stéfan van der Walt.
    private static func stored(_ name: String) -> [RGB] {
        let lines = String(decoding: PackageResources.matplotlib_txt, as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").dropFirst() ?? []
        return words.compactMap { UInt32($0, radix: 16).map(RGB.init(hex:)) }
    }
}

extension ColorTable {
    /// The false-colour entry of `index`: from blue to red in hue, and from dark to bright, after which red and green
    /// are swapped. Fractions of an 8-bit step are dropped, as in the original program.
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

package struct RGB: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

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

    package var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
