/// The characters that bars grow by.
package enum BarGlyph {
    private static let blocks = Array(" ▁▂▃▄▅▆▇█".unicodeScalars)
    private static let plain = Array(" ..::++##".unicodeScalars)

    /// The character of a cell that is filled from below by so many eighths, 0 … 8; others are clamped.
    package static func scalar(eighths: Int, depth: ColorDepth) -> Unicode.Scalar {
        let index = min(max(eighths, 0), 8)
        return depth == .ascii ? plain[index] : blocks[index]
    }
}
