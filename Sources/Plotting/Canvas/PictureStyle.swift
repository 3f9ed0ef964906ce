package struct PictureStyle: Hashable, Sendable {
    package let colors: ColorTable
    package let theme: Theme
    /// Width of the whole picture in pixels at 96 dots per inch, within `widths`.
    package let width: Int
    /// Height of the whole picture in pixels at 96 dots per inch, within `heights`.
    package let height: Int
    /// Dots per inch, within `resolutions`: at 192, twice as many pixels show the same.
    package let dpi: Double
    /// Size of print in pixels at 96 dots per inch, within `fontSizes`; the other sizes follow.
    package let fontSize: Double

    package static let widths = 320...20_000
    package static let heights = 200...20_000
    package static let resolutions: ClosedRange<Double> = 24...1200
    package static let fontSizes: ClosedRange<Double> = 6...48
    package static let maximumPixels = 32_000

    /// - Throws: `PlotError` if a value is out of its bounds, or the picture would have more than `maximumPixels` a side.
    package init(
        colors: ColorTable = .viridis, theme: Theme = .light, width: Int = 1000, height: Int = 420, dpi: Double = 96,
        fontSize: Double = 12
    ) throws(PlotError) {
        try Self.require(Self.widths.contains(width), "width", "\(width)", "\(Self.widths.inWords) pixels")
        try Self.require(Self.heights.contains(height), "height", "\(height)", "\(Self.heights.inWords) pixels")
        try Self.require(Self.resolutions.contains(dpi), "resolution", "\(dpi)", "24 to 1200 dots per inch")
        try Self.require(Self.fontSizes.contains(fontSize), "font size", "\(fontSize)", "6 to 48 pixels")
        let longest = Double(max(width, height)) * dpi / 96
        try Self.require(
            longest <= Double(Self.maximumPixels), "size", "\(Int(longest)) pixels at \(dpi) dots per inch",
            "at most \(Self.maximumPixels) pixels")
        self.colors = colors
        self.theme = theme
        self.width = width
        self.height = height
        self.dpi = dpi
        self.fontSize = fontSize
    }

    var columns: Int { Int((Double(width) * dpi / 96).rounded()) }
    var rows: Int { Int((Double(height) * dpi / 96).rounded()) }

    private static func require(
        _ condition: Bool, _ name: String, _ found: String, _ expected: String
    ) throws(PlotError) {
        guard condition else { throw .invalidSetting(name: name, found: found, expected: expected) }
    }
}

extension ClosedRange<Int> {
    fileprivate var inWords: String { "\(lowerBound) to \(upperBound)" }
}

/// The colours of paper and print around the values.
package enum Theme: String, CaseIterable, Sendable {
    case light
    case dark

    package var background: RGB { RGB(hex: self == .light ? 0xFFFFFF : 0x15171C) }
    package var ink: RGB { RGB(hex: self == .light ? 0x222222 : 0xE4E6EA) }
    package var faint: RGB { RGB(hex: self == .light ? 0x555555 : 0xA4A9B3) }
    /// The background of areas without values.
    package var empty: RGB { RGB(hex: self == .light ? 0xF4F4F4 : 0x22262E) }
    package var wave: RGB { RGB(hex: self == .light ? 0x3A5A94 : 0x8DB3E8) }
}

/// Sizes of print and lines, in pixels. They depend on resolution and font size, not on the size of the picture, so that a larger
/// picture has more room and more ticks.
struct PrintSizes: Sendable {
    /// The factor against the sizes at 96 dots per inch in print of 12 pixels.
    let factor: Double
    let theme: Theme

    init(_ style: PictureStyle) {
        factor = style.dpi / 96 * style.fontSize / 12
        theme = style.theme
    }

    var title: TextStyle { TextStyle(size: 15 * factor, isBold: true, color: theme.ink) }
    /// The title's print in pictures with several.
    var panelTitle: TextStyle { TextStyle(size: 13 * factor, isBold: true, color: theme.ink) }
    var subtitle: TextStyle { TextStyle(size: 12 * factor, color: theme.faint) }
    var name: TextStyle { TextStyle(size: 12.5 * factor, color: theme.ink) }
    var number: TextStyle { TextStyle(size: 11.5 * factor, color: theme.ink) }
    var lane: TextStyle { TextStyle(size: 10.5 * factor, color: theme.ink) }
    /// Below the tiles of a contact sheet: captions and notes.
    var caption: TextStyle { TextStyle(size: 11 * factor, color: theme.ink) }
    var note: TextStyle { TextStyle(size: 10.5 * factor, color: theme.faint) }
    /// Labels of annotations, white on black.
    var tag: TextStyle { TextStyle(size: 11 * factor, color: RGB(hex: 0xFFFFFF)) }

    var line: Int { max(pixels(1), 1) }
    var tick: Int { pixels(4) }
    /// Distance between print and what it belongs to.
    var gap: Int { pixels(5) }
    /// Height of a label strip's lane, its distance from the next included.
    var laneHeight: Int { pixels(14) }
    var margin: Int { pixels(14) }
    /// Width of the colour bar, and its distance from the spectrogram.
    var bar: Int { pixels(14) }
    /// Height of the triangles at the colour bar's ends.
    var triangle: Int { pixels(8) }

    /// A length of the default picture in pixels of this one.
    func pixels(_ length: Double) -> Int { Int((length * factor).rounded()) }
}
