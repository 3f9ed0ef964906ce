import FeatureModel

/// Draws annotations over a spectrogram: boxes of a white line within a black one, and labels in white on black, which can be
/// seen on any colour.
struct AnnotationDrawing {
    let annotations: [Annotation]
    let layout: PanelLayout
    let sizes: PrintSizes
    let canvas: Canvas

    private static let outer = RGB(hex: 0x000000)
    private static let inner = RGB(hex: 0xFFFFFF)

    /// Draws all boxes, then all labels over them; returns how many labels found no room.
    func draw() -> Int {
        guard !annotations.isEmpty else { return 0 }
        let padding = sizes.pixels(3)
        let height = Int((canvas.digitHeight(sizes.tag) * 1.45).rounded(.up)) + padding
        let limit = Double(max(layout.filled.width - 2 * padding, 1))
        let marks = AnnotationLayout(annotations, on: layout, area: layout.filled) { text in
            let fitting = canvas.shortened(text, style: sizes.tag, limit: limit)
            let width = Int(canvas.width(of: fitting, style: sizes.tag).rounded(.up)) + 2 * padding
            return (fitting, width, height)
        }
        for mark in marks.marks { outline(mark.box) }
        for mark in marks.marks {
            guard let tag = mark.tag else { continue }
            canvas.fill(tag, with: Self.outer)
            let baseline = Double(tag.bottom) - Double(padding) / 2 - canvas.digitHeight(sizes.tag) * 0.25
            canvas.draw(
                mark.text, x: Double(tag.x + padding), y: baseline.rounded(), style: sizes.tag, anchor: .start)
        }
        return marks.labelsWithoutRoom
    }

    /// The outermost pixels of a box in black, those within in white; a box too small for both is white.
    private func outline(_ box: PixelRectangle) {
        let line = sizes.line
        guard box.width > 2 * line, box.height > 2 * line else { return canvas.fill(box, with: Self.inner) }
        let within = PixelRectangle(
            x: box.x + line, y: box.y + line, width: box.width - 2 * line, height: box.height - 2 * line)
        canvas.frame(within, thickness: line, with: Self.outer)
        guard within.width > 2 * line, within.height > 2 * line else { return }
        let core = PixelRectangle(
            x: within.x + line, y: within.y + line, width: within.width - 2 * line, height: within.height - 2 * line)
        canvas.frame(core, thickness: line, with: Self.inner)
    }
}
