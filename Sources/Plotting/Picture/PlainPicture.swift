import FeatureModel

/// The values and nothing else: one pixel for each, time to the right, the lowest bin at the bottom.
package struct PlainPicture: Sendable {
    private let matrix: FeatureMatrix
    private let columns: Int
    private let colors: ColorTable
    private let span: ValueSpan

    /// A span that depends on the values is taken from those that are shown.
    ///
    /// - Parameters:
    ///   - columns: The width in frames, the newest at the right; columns without a frame have the first colour of the table. Nil:
    ///     all frames.
    ///   - hasFrequencies: Whether a band of the values could be chosen.
    /// - Throws: `PlotError` if there are no frames or too many, or the span is invalid.
    package init(
        matrix: FeatureMatrix, columns: Int? = nil, colors: ColorTable, span: ValueSpan = .usual,
        hasFrequencies: Bool = false
    ) throws(PlotError) {
        try span.validate()
        let width = columns ?? matrix.rows
        guard matrix.rows > 0 else {
            throw .invalidSetting(name: "values", found: "no frames", expected: "at least one")
        }
        guard (1...PictureStyle.maximumPixels).contains(width), matrix.bins <= PictureStyle.maximumPixels else {
            throw .invalidSetting(
                name: "size", found: "\(width) frames of \(matrix.bins) values, a pixel each",
                expected: matrix.bins > PictureStyle.maximumPixels
                    ? "at most \(PictureStyle.maximumPixels) values in a frame: "
                        + (hasFrequencies ? "choose a band of frequencies" : "draw it with axes")
                    : "at most \(PictureStyle.maximumPixels) frames"
            )
        }
        self.matrix = matrix
        self.columns = width
        self.colors = colors
        self.span = span
    }

    /// The picture of a panel, or of a band of its frequencies in hertz.
    ///
    /// - Throws: `PlotError` as above, and if no bin is in the band.
    package init(
        panel: SpectrogramPanel, band: ClosedRange<Double>?, columns: Int?, colors: ColorTable, span: ValueSpan
    ) throws(PlotError) {
        let shown = if let band { try panel.cropped(to: band) } else { panel }
        try self.init(
            matrix: shown.matrix, columns: columns, colors: colors, span: span,
            hasFrequencies: shown.axis.hasFrequencies)
    }

    /// The picture as a file of a format. Equal pictures give equal bytes.
    package func file(as format: PictureFormat) throws(PlotError) -> PictureFile {
        let raster = raster()
        let canvas = try Canvas(
            width: raster.width, height: raster.height, background: RGB(hex: 0), format: format, hasText: false)
        canvas.draw(raster, x: 0, y: 0)
        try canvas.finish()
        return PictureFile(bytes: try canvas.bytes())
    }

    func raster() -> Raster {
        let shown = min(columns, matrix.rows)
        let newest = FeatureMatrix(bins: matrix.bins, values: Array(matrix.values.suffix(shown * matrix.bins)))
        let scale = ValueScale(span, of: RankedValues(newest.values))
        let drawn = Raster(newest, width: shown, height: matrix.bins, scale: scale, colors: colors)
        guard shown < columns else { return drawn }
        var raster = Raster(width: columns, height: matrix.bins, filledWith: colors.color(0))
        for y in 0..<matrix.bins {
            for x in 0..<shown { raster[columns - shown + x, y] = drawn[x, y] }
        }
        return raster
    }
}
