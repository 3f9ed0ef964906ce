import FeatureModel

/// The boxes of annotations on a spectrogram, and the labels that name them.
///
/// Each box has its own label if there is room for all. Otherwise, boxes of one label that are close together are named once, as
/// in "wren ×12", at a bracket over them; a label without room is left out. Labels never overlap, and cover at most
/// `maximumCovered` of the spectrogram.
struct AnnotationLayout: Sendable {
    /// The visible parts of the annotations, in the order of their starts.
    let boxes: [PixelRectangle]
    let labels: [AnnotationLabel]
    let counts: AnnotationCount

    /// Maximum share of the spectrogram's pixels that labels and their brackets cover.
    static let maximumCovered = 0.1
    /// Maximum number of runs of boxes to find room for.
    private static let maximumTries = 20_000

    /// - Complexity: O(boxes) and, for each label that has room, the boxes near it.
    ///
    /// - Parameters:
    ///   - area: The pixels of the spectrogram that have values.
    ///   - size: Width and height of a label's pixels by its text, and the text shortened to fit.
    init(
        _ annotations: [Annotation], on panel: PanelLayout, area: PixelRectangle, line: Int = 1,
        size: (String) -> LabelSize
    ) {
        let ordered = annotations.sorted { $0.start < $1.start }
        var counts = AnnotationCount()
        let seen = ordered.compactMap { annotation in
            Self.box(annotation, on: panel, area: area, counting: &counts).map { (box: $0, label: annotation.label) }
        }
        boxes = seen.map(\.box)
        var known: [String: LabelSize] = [:]
        func measured(_ text: String) -> LabelSize {
            if let size = known[text] { return size }
            let size = size(text)
            known[text] = size
            return size
        }
        let marks = seen.indices.filter { !seen[$0].label.isEmpty }.map {
            AnnotationMark(index: $0, box: seen[$0].box, label: seen[$0].label, size: measured(seen[$0].label))
        }
        let placing = LabelPlacing(boxes: boxes, area: area, line: line, share: Self.maximumCovered)
        labels = Self.each(marks, placing) ?? Self.together(marks, placing, measured)
        counts.labelled = marks.count
        counts.named = labels.reduce(0) { $0 + $1.boxes.count }
        self.counts = counts
    }

    /// A label for each box; nil: one has no room.
    private static func each(_ marks: [AnnotationMark], _ placing: LabelPlacing) -> [AnnotationLabel]? {
        var placing = placing
        guard marks.reduce(0, { $0 + $1.size.area }) <= placing.room else { return nil }
        var labels: [AnnotationLabel] = []
        for mark in marks {
            guard let label = placing.label(mark) else { return nil }
            labels.append(label)
        }
        return labels
    }

    /// Labels for runs of boxes: every text once before one is repeated, spread over the picture if there is no room for all.
    private static func together(
        _ marks: [AnnotationMark], _ placing: LabelPlacing, _ size: (String) -> LabelSize
    ) -> [AnnotationLabel] {
        var placing = placing
        var labels: [AnnotationLabel] = []
        for run in AnnotationRun.byImportance(AnnotationRun.runs(of: marks)).prefix(maximumTries) {
            guard placing.room > 0 else { break }
            if run.marks.count > 1, let label = placing.label(run, size: size(run.text)) {
                labels.append(label)
                continue
            }
            for mark in run.some {
                guard let label = placing.label(mark) else { continue }
                labels.append(label)
                break
            }
        }
        return labels
    }

    /// The pixels on which a part of the annotation falls; nil: it lies outside.
    private static func box(
        _ annotation: Annotation, on panel: PanelLayout, area: PixelRectangle, counting counts: inout AnnotationCount
    ) -> PixelRectangle? {
        let left = panel.column(of: annotation.start)
        let right = panel.column(of: annotation.end)
        let columns = Double(area.x)..<Double(area.right)
        guard !counts.counts(outside: columns, left: left, right: right) else { return nil }
        var top = Double(area.y)
        var bottom = Double(area.bottom)
        if let range = panel.bins.range {
            guard annotation.high ?? .infinity > range.lowerBound, annotation.low ?? 0 < range.upperBound else {
                counts.beyondBand += 1
                return nil
            }
            // A hundredth of the axis does not matter.
            let margin = (range.upperBound - range.lowerBound) / 100
            if annotation.high ?? 0 > range.upperBound + margin
                || annotation.low ?? .infinity < range.lowerBound - margin
            {
                counts.cut += 1
            }
            if let high = annotation.high { top = panel.row(of: high) ?? top }
            if let low = annotation.low { bottom = panel.row(of: low) ?? bottom }
        }
        counts.drawn += 1
        let x = max(pixel(left, .down), area.x)
        let y = min(max(pixel(top, .down), area.y), area.bottom - 1)
        let width = max(min(pixel(right, .up), area.right) - x, 1)
        let height = max(min(pixel(bottom, .up), area.bottom) - y, 1)
        return PixelRectangle(x: x, y: y, width: width, height: height)
    }

    /// The pixel of a coordinate, rounded, within the bounds of an Int; a millionth of a pixel is a rounding error.
    private static func pixel(_ coordinate: Double, _ rule: FloatingPointRoundingRule) -> Int {
        let inward = rule == .up ? -1e-6 : 1e-6
        return Int(min(max((coordinate + inward).rounded(rule), -1e6), 1e6))
    }
}

struct AnnotationLabel: Hashable, Sendable {
    let text: String
    /// The pixels of the print and its background, next to its box or bracket.
    let tag: PixelRectangle
    /// The line over several boxes; nil: the label is at its box.
    let bracket: LabelBracket?
    let boxes: [Int]
}

struct AnnotationMark: Hashable, Sendable {
    let index: Int
    let box: PixelRectangle
    /// Its label, in full.
    let label: String
    let size: LabelSize
}

/// A label's text as it is printed, and its pixels with the background.
struct LabelSize: Hashable, Sendable {
    let text: String
    let width: Int
    let height: Int

    var area: Int { width * height }
}
