/// Finds room for labels, one after another.
struct LabelPlacing: Sendable {
    /// Pixels that labels may still cover.
    private(set) var room: Int
    private let area: PixelRectangle
    private let line: Int
    private let boxes: RectangleIndex
    private var taken: RectangleIndex

    /// - Parameter boxes: All boxes, which labels cover only if there is no room elsewhere.
    init(boxes: [PixelRectangle], area: PixelRectangle, line: Int, share: Double) {
        self.area = area
        self.line = line
        self.boxes = RectangleIndex(area, boxes)
        room = Int(share * Double(area.width * area.height))
        taken = RectangleIndex(area)
    }

    /// A label above, within, below or beside its box, if possible on no other box.
    mutating func label(_ mark: AnnotationMark) -> AnnotationLabel? {
        add(mark.size, over: mark.box, bracket: nil, naming: [mark.index])
    }

    /// A label at a bracket over several boxes, or at the boxes themselves if they are narrower than a bracket.
    mutating func label(_ run: AnnotationRun, size: LabelSize) -> AnnotationLabel? {
        let indices = run.marks.map(\.index)
        guard run.area.width >= LabelBracket.minimumWidth(line: line) else {
            return add(size, over: run.area, bracket: nil, naming: indices)
        }
        let height = LabelBracket.height(line: line)
        let (top, bottom) = (run.area.y, run.area.bottom)
        // A bracket is next to the boxes' outline or within it, or a label's height away.
        for distance in [0, size.height + height] {
            for (y, pointsDown, isAbove) in [
                (top - height - distance, true, true), (top + distance, true, false),
                (bottom + distance, false, false), (bottom - height - distance, false, true),
            ] {
                let bracket = LabelBracket(
                    area: PixelRectangle(x: run.area.x, y: y, width: run.area.width, height: height),
                    pointsDown: pointsDown, line: line)
                guard area.contains(bracket.area), !taken.hasOverlap(with: bracket.area) else { continue }
                let row = isAbove ? y - size.height : y + height
                let candidates = Self.columns(along: run.area, width: size.width).map { (x: $0, y: row) }
                if let label = add(size, at: candidates, bracket: bracket, naming: indices) { return label }
            }
        }
        return nil
    }

    private mutating func add(
        _ size: LabelSize, over box: PixelRectangle, bracket: LabelBracket?, naming indices: [Int]
    ) -> AnnotationLabel? {
        let left = min(max(box.x, area.x), max(area.right - size.width, area.x))
        let along = [box.x + (box.width - size.width) / 2, box.right - size.width]
        let (above, below) = (box.y - size.height, box.bottom)
        let within = [box.y, box.bottom - size.height]
        var candidates = [above, within[0], within[1], below].map { (x: left, y: $0) }
        for y in [above, within[0], within[1], below] { candidates += along.map { (x: $0, y: y) } }
        for y in within { candidates += [box.x - size.width, box.right].map { (x: $0, y: y) } }
        return add(size, at: candidates, bracket: bracket, naming: indices)
    }

    /// Takes the first position that is free and on no other box, else the first that is free.
    private mutating func add(
        _ size: LabelSize, at candidates: [(x: Int, y: Int)], bracket: LabelBracket?, naming indices: [Int]
    ) -> AnnotationLabel? {
        let pixels = size.area + (bracket?.pixels ?? 0)
        guard pixels <= room else { return nil }
        let free = candidates.map { PixelRectangle(x: $0.x, y: $0.y, width: size.width, height: size.height) }
            .filter { area.contains($0) && !taken.hasOverlap(with: $0) }
        guard let any = free.first else { return nil }
        let own = Set(indices)
        let tag = free.first { !boxes.hasOverlap(with: $0, isOwn: own.contains) } ?? any
        room -= pixels
        taken.insert(tag)
        if let bracket { taken.insert(bracket.area) }
        return AnnotationLabel(text: size.text, tag: tag, bracket: bracket, boxes: indices)
    }

    /// Columns for a label along a bracket: its two ends and middle first, then any half of a label further.
    private static func columns(along bracket: PixelRectangle, width: Int) -> [Int] {
        let last = bracket.right - width
        guard last > bracket.x else { return [bracket.x, last, (bracket.x + last) / 2] }
        let between = stride(from: bracket.x, to: last, by: max(width / 2, (last - bracket.x) / 64, 1))
        return [bracket.x, (bracket.x + last) / 2, last] + between
    }
}

/// A line along several boxes with ends that point to them: white within black, visible on any colour.
struct LabelBracket: Hashable, Sendable {
    let area: PixelRectangle
    /// Whether the boxes lie below it, and not above.
    let pointsDown: Bool
    let line: Int

    static func height(line: Int) -> Int { 5 * line }

    static func minimumWidth(line: Int) -> Int { 10 * line }

    var outer: [PixelRectangle] { strokes(inset: 0) }
    var inner: [PixelRectangle] { strokes(inset: line) }

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

/// Rectangles, to be found by the columns that they cover.
struct RectangleIndex: Sendable {
    private let area: PixelRectangle
    private let step: Int
    private var rectangles: [PixelRectangle] = []
    /// The indices of the rectangles that reach into each strip of `step` columns.
    private var strips: [[Int32]]

    init(_ area: PixelRectangle, _ rectangles: [PixelRectangle] = []) {
        self.area = area
        step = max(area.width / 64, 32)
        strips = Array(repeating: [], count: max(area.width, 1) / step + 1)
        for rectangle in rectangles { insert(rectangle) }
    }

    mutating func insert(_ rectangle: PixelRectangle) {
        for strip in covered(rectangle) { strips[strip].append(Int32(rectangles.count)) }
        rectangles.append(rectangle)
    }

    /// Whether a rectangle overlaps whose index is not one of its own.
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
