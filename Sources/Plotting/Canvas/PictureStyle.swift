/// How a picture looks, whatever it shows.
package struct PictureStyle: Hashable, Sendable {
    /// The colours of values.
    package let colors: ColorTable
    /// The colours of what surrounds them.
    package let theme: Theme
    /// Width of the whole picture in pixels at 96 dots per inch, within `widths`.
    package let width: Int
    /// Height of the whole picture in pixels at 96 dots per inch, within `heights`.
    package let height: Int
    /// Dots per inch, within `resolutions`: at 192, twice as many pixels show the same.
    package let dpi: Double
    /// Size of print in pixels at 96 dots per inch, within `fontSizes`; the other sizes follow.
    package let fontSize: Double

    /// The widths a picture may have.
    package static let widths = 320...20_000
    /// The heights a picture may have.
    package static let heights = 200...20_000
    /// The resolutions a picture may have, in dots per inch.
    package static let resolutions: ClosedRange<Double> = 24...1200
    /// The sizes of print a picture may have.
    package static let fontSizes: ClosedRange<Double> = 6...48
    /// The most pixels in a row or a column.
    package static let mostPixels = 32_000

    /// Checks and keeps the values.
    ///
    /// - Throws: `PlotError` where one is out of its bounds, or the picture would have more than `mostPixels` a side.
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
            longest <= Double(Self.mostPixels), "size", "\(Int(longest)) pixels at \(dpi) dots per inch",
            "at most \(Self.mostPixels) pixels")
        self.colors = colors
        self.theme = theme
        self.width = width
        self.height = height
        self.dpi = dpi
        self.fontSize = fontSize
    }

    /// Pixels in a row of the picture.
    var columns: Int { Int((Double(width) * dpi / 96).rounded()) }
    /// Pixels in a column of the picture.
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
