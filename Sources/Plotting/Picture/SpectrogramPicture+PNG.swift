extension SpectrogramPicture {
    /// The picture as a PNG file's content, 24-bit colours. Equal pictures give equal bytes on one system: glyphs come
    /// from its fonts.
    package func pngBytes() throws(PlotError) -> [UInt8] { try draw().canvas.surface.png() }

    /// Writes the picture as a PNG file. It is written under a temporary name in the same folder and then renamed, so
    /// that no half picture is left behind; a regular file of the name is replaced.
    package func writePNG(to path: String) throws(PlotError) { try WholeFile.write(pngBytes(), to: path) }

    /// The pixels of the picture, and where in them things stand.
    func drawn() throws(PlotError) -> (pixels: Raster, layout: PictureLayout) {
        let (canvas, layout) = try draw()
        return (canvas.surface.raster(), layout)
    }

    private func draw() throws(PlotError) -> (canvas: Canvas, layout: PictureLayout) {
        let canvas = try Canvas(width: width, height: height, background: RGB(hex: 0xFFFFFF))
        let layout = PictureLayout(self, measuring: canvas)
        PictureDrawing(picture: self, layout: layout, canvas: canvas).draw()
        try canvas.finish()
        return (canvas, layout)
    }
}
