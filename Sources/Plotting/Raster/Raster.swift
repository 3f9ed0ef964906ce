import FeatureModel

struct Raster: Hashable, Sendable {
    let width: Int
    let height: Int
    /// The pixels as 0x00RRGGBB, row after row from the top.
    private(set) var pixels: [UInt32]

    init(width: Int, height: Int, filledWith color: RGB) {
        self.width = width
        self.height = height
        pixels = Array(repeating: color.hex, count: width * height)
    }

    subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }
}

extension Raster {
    /// Draws a matrix with time to the right and the lowest bin at the bottom, all frames of equal width and all bins
    /// of equal height; see `init(_:width:bins:scale:colors:)`.
    ///
    /// - Precondition: the matrix has rows.
    init(_ matrix: FeatureMatrix, width: Int, height: Int, scale: ValueScale, colors: ColorTable) {
        let blocks = PixelBlocks(count: matrix.bins, pixels: height)
        self.init(matrix, width: width, bins: (0..<height).map(blocks.block), scale: scale, colors: colors)
    }

    /// Draws a matrix with time to the right, all frames of equal width, and given bins on each row of pixels.
    ///
    /// A pixel shows the mean of its values. The maximum would keep a thin line visible, but would raise noise by several decibels,
    /// the more the longer the clip is, and the colour bar would be wrong. A pixel with any value that is infinite or NaN shows the
    /// table's `invalid` colour, so that a single fault in a long clip is visible. Takes memory for the pixels and one frame.
    ///
    /// - Parameter rows: The bins on each row of pixels, one or more, from the lowest row up.
    /// - Precondition: the matrix has rows.
    init(_ matrix: FeatureMatrix, width: Int, bins rows: [Range<Int>], scale: ValueScale, colors: ColorTable) {
        precondition(matrix.rows > 0, "a raster needs frames")
        let height = rows.count
        self.init(width: width, height: height, filledWith: colors.invalid)
        let table = colors.entries.map(\.hex)
        let frameBlocks = PixelBlocks(count: matrix.rows, pixels: width)
        var sums = [Double](repeating: 0, count: matrix.bins)
        var column = [UInt32](repeating: colors.invalid.hex, count: height)
        var drawn: Range<Int>?

        for x in 0..<width {
            let frames = frameBlocks.block(x)
            if frames != drawn {
                matrix.sum(frames, into: &sums)
                for (y, bins) in rows.enumerated() {
                    var sum = 0.0
                    for bin in bins { sum += sums[bin] }
                    let mean = sum / Double(frames.count * bins.count)
                    column[y] = mean.isFinite ? table[scale.index(of: mean)] : colors.invalid.hex
                }
                drawn = frames
            }
            for y in 0..<height { self[x, height - 1 - y] = column[y] }
        }
    }

    /// Draws the colours of a colour bar, the first at the lowest row, the last at the topmost.
    init(barOf colors: ColorTable, width: Int, height: Int) {
        self.init(width: width, height: height, filledWith: colors.invalid)
        for y in 0..<height {
            let color = colors.color(Float(height - 1 - y) / Float(max(height - 1, 1))).hex
            for x in 0..<width { self[x, y] = color }
        }
    }
}

extension FeatureMatrix {
    /// Adds up the values of each bin over some rows. In double precision finite values cannot overflow, so a sum is finite if and
    /// only if all its values are.
    fileprivate func sum(_ rows: Range<Int>, into sums: inout [Double]) {
        values.withUnsafeBufferPointer { values in
            for bin in sums.indices { sums[bin] = Double(values[rows.lowerBound * bins + bin]) }
            for row in rows.dropFirst() {
                for bin in sums.indices { sums[bin] += Double(values[row * bins + bin]) }
            }
        }
    }
}

/// A rectangle of whole pixels; `y` counts from the top.
struct PixelRectangle: Hashable, Sendable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }
    var middle: (x: Double, y: Double) { (Double(x) + Double(width) / 2, Double(y) + Double(height) / 2) }

    func overlaps(_ other: PixelRectangle) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// The rectangle within a border; nil: nothing is left.
    func inset(by border: Int) -> PixelRectangle? {
        guard width > 2 * border, height > 2 * border else { return nil }
        return PixelRectangle(x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border)
    }

    func contains(_ other: PixelRectangle) -> Bool {
        x <= other.x && other.right <= right && y <= other.y && other.bottom <= bottom
    }
}

/// Assigns `count` frames or bins, in order, to `pixels` pixels.
struct PixelBlocks: Sendable {
    /// Number of frames or bins, 1 or more.
    let count: Int
    /// Number of pixels, 1 or more.
    let pixels: Int

    /// The frames or bins on a pixel, one or more.
    ///
    /// If there are fewer frames or bins than pixels, the one under the pixel's centre. Otherwise the blocks of all pixels cover each frame
    /// or bin exactly once.
    func block(_ pixel: Int) -> Range<Int> {
        guard count >= pixels else {
            let nearest = (2 * pixel + 1) * count / (2 * pixels)
            return nearest..<nearest + 1
        }
        return pixel * count / pixels..<(pixel + 1) * count / pixels
    }
}
