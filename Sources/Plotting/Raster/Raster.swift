/// Pixels of a picture or a part of one.
struct Raster: Hashable, Sendable {
    /// Pixels in a row.
    let width: Int
    /// Number of rows.
    let height: Int
    /// The pixels as 0x00RRGGBB, row after row from the top.
    private(set) var pixels: [UInt32]

    /// A raster of one colour.
    init(width: Int, height: Int, filledWith color: RGB) {
        self.width = width
        self.height = height
        pixels = Array(repeating: color.hex, count: width * height)
    }

    /// The pixel `x` from the left and `y` from the top.
    subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }

    /// The content of a file of these pixels alone: a PNG, or a page of their size with them on it.
    ///
    /// - Throws: `PlotError` where Cairo refuses, such as for more than 32,767 pixels in a row or column.
    func bytes(as format: PictureFormat = .png, dpi: Double = 96) throws(PlotError) -> [UInt8] {
        guard format != .png else { return try ImageSurface(self, dpi: dpi).bytes() }
        let canvas = try Canvas(width: width, height: height, background: RGB(hex: 0), format: format, dpi: dpi)
        canvas.place(self, x: 0, y: 0)
        try canvas.finish()
        return try canvas.bytes()
    }
}
