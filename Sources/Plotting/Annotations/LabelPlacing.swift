/// Finds room for labels, one after another.
struct LabelPlacing: Sendable {
    /// Pixels that labels may still cover.
    private(set) var room: Int
    private let area: PixelRectangle
    private let line: Int
    private let boxes: RectangleIndex
    private var taken: RectangleIndex

    /// - Parameters:
    ///   - boxes: All boxes, which labels cover only where there is no other place.
    ///   - area: What labels stay within.
    ///   - line: Thickness of a line.
    ///   - share: How much of the area labels may cover.
    init(boxes: [PixelRectangle], area: PixelRectangle, line: Int, share: Double) {
        self.area = area
        self.line = line
        self.boxes = RectangleIndex(area, boxes)
        room = Int(share * Double(area.width * area.height))
        taken = RectangleIndex(area)
    }

    /// A label at its box: above it, else within, below or beside it, if possible on no other box.
    mutating func label(_ mark: AnnotationMark) -> AnnotationLabel? {
        place(mark.size, over: mark.box, bracket: nil, naming: [mark.index])
    }

    /// A label at a bracket over several boxes; over fewer pixels than a bracket has, at the boxes themselves.
    mutating func label(_ run: AnnotationRun, size: LabelSize) -> AnnotationLabel? {
        let places = run.marks.map(\.index)
        guard run.area.width >= LabelBracket.leastWidth(line: line) else {
            return place(size, over: run.area, bracket: nil, naming: places)
        }
        let height = LabelBracket.height(line: line)
        let (top, bottom) = (run.area.y, run.area.bottom)
        // A bracket stands next to the boxes' outline or within it, else a label's height further.
        for distance in [0, size.height + height] {
            for (y, pointsDown, isAbove) in [
                (top - height - distance, true, true), (top + distance, true, false),
                (bottom + distance, false, false), (bottom - height - distance, false, true),
            ] {
                let bracket = LabelBracket(
                    area: PixelRectangle(x: run.area.x, y: y, width: run.area.width, height: height),
                    pointsDown: pointsDown, line: line)
                guard area.contains(bracket.area), !taken.hasOverlap(with: bracket.area) else { continue }
                let rows = [isAbove ? y - size.height : y + height]
                let columns = Self.columns(along: run.area, width: size.width)
                let candidates = rows.flatMap { row in columns.map { (x: $0, y: row) } }
                if let label = place(size, at: candidates, bracket: bracket, naming: places) { return label }
            }
        }
        return nil
    }

    private mutating func place(
        _ size: LabelSize, over box: PixelRectangle, bracket: LabelBracket?, naming places: [Int]
    ) -> AnnotationLabel? {
        let left = min(max(box.x, area.x), max(area.right - size.width, area.x))
        let along = [box.x + (box.width - size.width) / 2, box.right - size.width]
        let (above, below) = (box.y - size.height, box.bottom)
        let within = [box.y, box.bottom - size.height]
        var candidates = [above, within[0], within[1], below].map { (x: left, y: $0) }
        for y in [above, within[0], within[1], below] { candidates += along.map { (x: $0, y: y) } }
        for y in within { candidates += [box.x - size.width, box.right].map { (x: $0, y: y) } }
        return place(size, at: candidates, bracket: bracket, naming: places)
    }

    /// Takes the first of the places that is free and on no other box, else the first that is free.
    private mutating func place(
        _ size: LabelSize, at candidates: [(x: Int, y: Int)], bracket: LabelBracket?, naming places: [Int]
    ) -> AnnotationLabel? {
        let pixels = size.area + (bracket?.pixels ?? 0)
        guard pixels <= room else { return nil }
        let free = candidates.map { PixelRectangle(x: $0.x, y: $0.y, width: size.width, height: size.height) }
            .filter { area.contains($0) && !taken.hasOverlap(with: $0) }
        guard let any = free.first else { return nil }
        let own = Set(places)
        let tag = free.first { !boxes.hasOverlap(with: $0, isOwn: own.contains) } ?? any
        room -= pixels
        taken.insert(tag)
        if let bracket { taken.insert(bracket.area) }
        return AnnotationLabel(text: size.text, tag: tag, bracket: bracket, boxes: places)
    }

    /// Columns for a label along a bracket: its two ends and middle first, then any half of a label further.
    private static func columns(along bracket: PixelRectangle, width: Int) -> [Int] {
        let most = bracket.right - width
        guard most > bracket.x else { return [bracket.x, most, (bracket.x + most) / 2] }
        let between = stride(from: bracket.x, to: most, by: max(width / 2, (most - bracket.x) / 64, 1))
        return [bracket.x, (bracket.x + most) / 2, most] + between
    }
}
