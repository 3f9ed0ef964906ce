extension SpectrogramPicture {
    /// The picture as a PNG file's content, 24-bit colours. Equal pictures give equal bytes on one system: glyphs come
    /// from its fonts.
    package func pngBytes() throws(PlotError) -> [UInt8] { try file(as: .png).bytes }

    /// The picture as a file of a format. Equal pictures give equal bytes on one system.
    package func file(as format: PictureFormat) throws(PlotError) -> PictureFile {
        let (canvas, _, annotations) = try draw(format)
        return PictureFile(bytes: try canvas.bytes(), annotations: annotations)
    }

    /// Writes the picture as a PNG file; see `PictureFile.write(to:)`.
    package func writePNG(to path: String) throws(PlotError) { try file(as: .png).write(to: path) }

    /// The pixels of the picture, and where in them things stand.
    func drawn() throws(PlotError) -> (pixels: Raster, layout: PictureLayout) {
        let (canvas, layout, _) = try draw(.png)
        return (canvas.raster() ?? Raster(width: 0, height: 0, filledWith: style.theme.background), layout)
    }

    private func draw(
        _ format: PictureFormat
    ) throws(PlotError) -> (canvas: Canvas, layout: PictureLayout, annotations: [AnnotationCount]) {
        let canvas = try Canvas(
            width: style.columns, height: style.rows, background: style.theme.background, format: format,
            dpi: style.dpi)
        let layout = try PictureLayout(self, measuring: canvas)
        let annotations = PictureDrawing(picture: self, layout: layout, canvas: canvas).draw()
        try canvas.finish()
        return (canvas, layout, annotations)
    }
}
