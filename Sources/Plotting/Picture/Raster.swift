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
}
