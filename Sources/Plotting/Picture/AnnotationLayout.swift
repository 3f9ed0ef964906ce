import FeatureModel

/// Where the boxes of annotations stand on a spectrogram, and their labels, which keep clear of one another.
struct AnnotationLayout: Sendable {
    /// An annotation within the spectrogram.
    struct Mark: Hashable, Sendable {
        /// The pixels of its box.
        let box: PixelRectangle
        /// What is printed; empty: nothing.
        let text: String
        /// The pixels of its label; nil: there is no text, or no room.
        var tag: PixelRectangle?
    }

    /// What can be seen of the annotations, in the order of their beginnings.
    let marks: [Mark]

    /// How many have a label that found no room.
    var labelsWithoutRoom: Int { marks.count { !$0.text.isEmpty && $0.tag == nil } }

    /// Places boxes, then labels.
    ///
    /// A label stands above its box, else within it, below it, or beside one of these, wherever it covers no other label and
    /// stays within the spectrogram.
    ///
    /// - Parameters:
    ///   - area: The pixels of the spectrogram that have values.
    ///   - size: Width and height of a label's pixels by its text, and the text shortened to fit.
    init(
        _ annotations: [Annotation], on panel: PanelLayout, area: PixelRectangle,
        size: (String) -> (text: String, width: Int, height: Int)
    ) {
        var marks: [Mark] = []
        var taken: [PixelRectangle] = []
        let ordered = annotations.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        for (_, annotation) in ordered {
            guard let box = Self.box(annotation, on: panel, area: area) else { continue }
            guard !annotation.label.isEmpty else {
                marks.append(Mark(box: box, text: "", tag: nil))
                continue
            }
            let label = size(annotation.label)
            let tag = Self.places(box: box, width: label.width, height: label.height, area: area).first { place in
                area.contains(place) && !taken.contains { $0.overlaps(place) }
            }
            if let tag { taken.append(tag) }
            marks.append(Mark(box: box, text: label.text, tag: tag))
        }
        self.marks = marks
    }

    /// The pixels on which a part of the annotation falls; nil: it lies outside.
    private static func box(
        _ annotation: Annotation, on panel: PanelLayout, area: PixelRectangle
    ) -> PixelRectangle? {
        let left = panel.column(of: annotation.start)
        let right = panel.column(of: annotation.end)
        guard left < Double(area.right), right > Double(area.x) || right == left && left >= Double(area.x) else {
            return nil
        }
        var top = Double(area.y)
        var bottom = Double(area.bottom)
        if let range = panel.bins.range {
            if let high = annotation.high {
                guard high > range.lowerBound else { return nil }
                top = panel.row(of: high) ?? top
            }
            if let low = annotation.low {
                guard low < range.upperBound else { return nil }
                bottom = panel.row(of: low) ?? bottom
            }
        }
        let x = max(pixel(left, .down), area.x)
        let y = min(max(pixel(top, .down), area.y), area.bottom - 1)
        let width = max(min(pixel(right, .up), area.right) - x, 1)
        let height = max(min(pixel(bottom, .up), area.bottom) - y, 1)
        return PixelRectangle(x: x, y: y, width: width, height: height)
    }

    /// A pixel at or beside a place, which may be far outside the picture. A millionth of a pixel is no reason for another.
    private static func pixel(_ place: Double, _ rule: FloatingPointRoundingRule) -> Int {
        let inward = rule == .up ? -1e-6 : 1e-6
        return Int(min(max((place + inward).rounded(rule), -1e6), 1e6))
    }

    /// Where a label may stand, the best place first.
    private static func places(
        box: PixelRectangle, width: Int, height: Int, area: PixelRectangle
    ) -> [PixelRectangle] {
        let left = min(max(box.x, area.x), max(area.right - width, area.x))
        let rows = [box.y - height, box.y, box.bottom - height, box.bottom]
        var places = rows.map { PixelRectangle(x: left, y: $0, width: width, height: height) }
        let centred = box.x + (box.width - width) / 2
        let columns = [centred, box.right - width, box.x - width, box.right]
        for y in rows {
            for x in columns { places.append(PixelRectangle(x: x, y: y, width: width, height: height)) }
        }
        // Anywhere above or below the box, then anywhere in its rows' neighbourhood.
        for distance in 1...max(area.height / max(height, 1), 1) {
            for y in [box.y - height * (distance + 1), box.bottom + height * distance, box.y + height * distance] {
                places.append(PixelRectangle(x: left, y: y, width: width, height: height))
            }
        }
        return places
    }
}
