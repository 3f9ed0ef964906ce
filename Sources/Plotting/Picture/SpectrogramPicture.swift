import FeatureModel

/// One picture of a spectrogram: time to the right, low bins at the bottom, a colour bar, a title.
package struct SpectrogramPicture: Sendable {
    /// The values, frames in time order. Without rows the picture says "no frames".
    package let matrix: FeatureMatrix
    /// What the bins stand for.
    package let axis: BinAxis
    /// Seconds from one frame to the next, above 0.
    package let framePeriod: Double
    /// Seconds at the centre of the first frame.
    package let firstFrameTime: Double
    /// The title above the picture, such as a clip's name and label; shortened in the middle where it is too wide.
    package let title: String
    /// A second line in smaller print; nil: none.
    package let subtitle: String?
    /// What the values are, beside the colour bar, such as "dB".
    package let valueLabel: String
    /// The colours.
    package let colors: ColorTable
    /// The values at the two ends of the colours; nil: from the 1st to the 99.5th percentile of the finite values.
    package let range: ClosedRange<Float>?
    /// Width of the whole picture in pixels, within `widths`.
    package let width: Int
    /// Height of the whole picture in pixels, within `heights`.
    package let height: Int

    /// The widths a picture may have, in pixels.
    package static let widths = 320...20_000
    /// The heights a picture may have, in pixels.
    package static let heights = 200...20_000

    /// Describes a picture. Print and lines grow with a picture that is larger than the default both ways.
    ///
    /// Throws `PlotError.invalidSetting` where the size is out of bounds, the axis does not fit the matrix, the range is
    /// infinite, the frame period is not a number of seconds above 0, or a time lies beyond ±1e9 s.
    package init(
        matrix: FeatureMatrix, axis: BinAxis, framePeriod: Double, firstFrameTime: Double = 0, title: String,
        subtitle: String? = nil, valueLabel: String, colors: ColorTable = .viridis, range: ClosedRange<Float>? = nil,
        width: Int = 1000, height: Int = 420
    ) throws(PlotError) {
        try Self.require(Self.widths.contains(width), "width", "\(width)", "\(Self.widths.inWords) pixels")
        try Self.require(Self.heights.contains(height), "height", "\(height)", "\(Self.heights.inWords) pixels")
        try axis.validate(bins: matrix.bins)
        try Self.require(
            framePeriod >= 1e-9 && framePeriod * Double(matrix.rows + 1) <= 1e9, "frame period", "\(framePeriod)",
            "seconds from 1e-9 on, and at most 1e9 s in all")
        try Self.require(firstFrameTime.magnitude <= 1e9, "first frame's time", "\(firstFrameTime)", "−1e9 to 1e9 s")
        if let range {
            try Self.require(
                range.lowerBound.isFinite && range.upperBound.isFinite, "range", "\(range)", "finite values")
        }
        self.matrix = matrix
        self.axis = axis
        self.framePeriod = framePeriod
        self.firstFrameTime = firstFrameTime
        self.title = title
        self.subtitle = subtitle
        self.valueLabel = valueLabel
        self.colors = colors
        self.range = range
        self.width = width
        self.height = height
    }

    private static func require(
        _ condition: Bool, _ name: String, _ found: String, _ expected: String
    ) throws(PlotError) {
        guard condition else { throw .invalidSetting(name: name, found: found, expected: expected) }
    }
}

extension ClosedRange<Int> {
    fileprivate var inWords: String { "\(lowerBound) to \(upperBound)" }
}
