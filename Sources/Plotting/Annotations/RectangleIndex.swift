/// Rectangles, to be found by the columns that they cover.
struct RectangleIndex: Sendable {
    private let area: PixelRectangle
    private let step: Int
    private var rectangles: [PixelRectangle] = []
    /// The places of the rectangles that reach into each strip of `step` columns.
    private var strips: [[Int32]]

    /// An index of rectangles within an area.
    init(_ area: PixelRectangle, _ rectangles: [PixelRectangle] = []) {
        self.area = area
        step = max(area.width / 64, 32)
        strips = Array(repeating: [], count: max(area.width, 1) / step + 1)
        for rectangle in rectangles { insert(rectangle) }
    }

    /// Adds a rectangle, which has the next place.
    mutating func insert(_ rectangle: PixelRectangle) {
        for strip in covered(rectangle) { strips[strip].append(Int32(rectangles.count)) }
        rectangles.append(rectangle)
    }

    /// Whether one overlaps, of those whose place does not count as its own.
    func hasOverlap(with rectangle: PixelRectangle, isOwn: (Int) -> Bool = { _ in false }) -> Bool {
        covered(rectangle).contains { strip in
            strips[strip].contains { rectangles[Int($0)].overlaps(rectangle) && !isOwn(Int($0)) }
        }
    }

    private func covered(_ rectangle: PixelRectangle) -> ClosedRange<Int> {
        func strip(_ x: Int) -> Int { min(max((x - area.x) / step, 0), strips.count - 1) }
        return strip(rectangle.x)...strip(max(rectangle.right - 1, rectangle.x))
    }
}
