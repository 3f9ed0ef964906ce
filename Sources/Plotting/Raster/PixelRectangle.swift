/// A rectangle of whole pixels; `y` counts from the top.
struct PixelRectangle: Hashable, Sendable {
    /// The leftmost column.
    let x: Int
    /// The topmost row.
    let y: Int
    /// Number of columns.
    let width: Int
    /// Number of rows.
    let height: Int

    /// The column after the rightmost.
    var right: Int { x + width }
    /// The row after the lowest.
    var bottom: Int { y + height }

    /// Whether a pixel belongs to both.
    func overlaps(_ other: PixelRectangle) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// What is left within a border; nil: nothing.
    func inset(by border: Int) -> PixelRectangle? {
        guard width > 2 * border, height > 2 * border else { return nil }
        return PixelRectangle(x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border)
    }

    /// Whether all of the other lies within.
    func contains(_ other: PixelRectangle) -> Bool {
        x <= other.x && other.right <= right && y <= other.y && other.bottom <= bottom
    }
}
