/// Which of `count` things, in order, fall on each of `pixels` pixels.
struct PixelBlocks: Sendable {
    /// Number of things, 1 or more.
    let count: Int
    /// Number of pixels, 1 or more.
    let pixels: Int

    /// The things on a pixel, one or more.
    ///
    /// Where there are fewer things than pixels: the one under the pixel's centre. Otherwise the blocks of all pixels
    /// cover every thing once.
    func block(_ pixel: Int) -> Range<Int> {
        guard count >= pixels else {
            let nearest = (2 * pixel + 1) * count / (2 * pixels)
            return nearest..<nearest + 1
        }
        return pixel * count / pixels..<(pixel + 1) * count / pixels
    }
}
