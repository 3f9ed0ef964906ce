/// A line along several boxes, with ends that point to them: white, and black outside, to be seen on any colour.
struct LabelBracket: Hashable, Sendable {
    /// The pixels that it spans.
    let area: PixelRectangle
    /// Whether the boxes lie below it, and not above.
    let pointsDown: Bool
    /// Thickness of a line.
    let line: Int

    /// Pixels that a bracket is high, in lines of this thickness.
    static func height(line: Int) -> Int { 5 * line }

    /// Pixels that a bracket is wide at least.
    static func leastWidth(line: Int) -> Int { 10 * line }

    /// The black part.
    var outer: [PixelRectangle] { strokes(inset: 0) }
    /// The white part.
    var inner: [PixelRectangle] { strokes(inset: line) }

    /// Number of pixels that it covers.
    var pixels: Int { (outer + inner).reduce(0) { $0 + $1.width * $1.height } }

    private func strokes(inset: Int) -> [PixelRectangle] {
        let width = area.width - 2 * inset
        let height = area.height - inset - line
        let top = pointsDown ? area.y + inset : area.bottom - inset - line
        let ends = pointsDown ? top + line : area.y
        return [
            PixelRectangle(x: area.x + inset, y: top, width: width, height: line),
            PixelRectangle(x: area.x + inset, y: ends, width: line, height: height),
            PixelRectangle(x: area.right - inset - line, y: ends, width: line, height: height),
        ]
    }
}
