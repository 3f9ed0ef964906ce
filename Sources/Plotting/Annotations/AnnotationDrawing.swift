import FeatureModel

/// Draws annotations over a spectrogram: boxes of a white line within a black one, and labels in white on black, visible on any
/// colour.
struct AnnotationDrawing {
    let annotations: [Annotation]
    let layout: PanelLayout
    let sizes: PrintSizes
    let canvas: Canvas

    private static let outer = RGB(hex: 0x000000)
    private static let inner = RGB(hex: 0xFFFFFF)
    /// The share of the spectrogram that opaque lines may cover.
    private static let maximumOpaqueShare = 0.25
    private static let minimumOpacity = 0.4

    /// Draws all boxes, then the labels that have room over them; returns the counts.
    func draw() -> AnnotationCount {
        guard !annotations.isEmpty else { return AnnotationCount() }
        let padding = sizes.pixels(3)
        let height = Int((canvas.digitHeight(sizes.tag) * 1.45).rounded(.up)) + padding
        let area = layout.filled
        // A single label may not cover more than all together.
        let maximum = Int(AnnotationLayout.maximumCovered * Double(area.width * area.height)) / max(height, 1)
        let limit = Double(max(min(area.width, maximum) - 2 * padding - 1, 1))
        let marks = AnnotationLayout(annotations, on: layout, area: area, line: sizes.line) { text in
            let fitting = canvas.shortened(text, style: sizes.tag, limit: limit)
            let width = Int(canvas.width(of: fitting, style: sizes.tag).rounded(.up)) + 2 * padding
            return LabelSize(text: fitting, width: width, height: height)
        }
        canvas.draw(opacity: opacity(of: marks.boxes)) {
            for box in marks.boxes { outline(box) }
        }
        // Without a font a label would be a black bar.
        guard canvas.hasText else { return marks.counts }
        for bracket in marks.labels.compactMap(\.bracket) {
            canvas.fill(bracket.outer, with: Self.outer)
            canvas.fill(bracket.inner, with: Self.inner)
        }
        for label in marks.labels {
            canvas.fill(label.tag, with: Self.outer)
            let baseline = Double(label.tag.bottom) - Double(padding) / 2 - canvas.digitHeight(sizes.tag) * 0.25
            canvas.draw(
                label.text, x: Double(label.tag.x + padding), y: baseline.rounded(), style: sizes.tag, anchor: .start)
        }
        return marks.counts
    }

    /// The opacity of lines: 1, unless they would hide the values between them.
    private func opacity(of boxes: [PixelRectangle]) -> Double {
        let lines = boxes.reduce(0) { $0 + min($1.width * $1.height, 4 * sizes.line * ($1.width + $1.height)) }
        let share = Double(lines) / Double(max(layout.filled.width * layout.filled.height, 1))
        return share <= Self.maximumOpaqueShare ? 1 : max(Self.maximumOpaqueShare / share, Self.minimumOpacity)
    }

    /// Draws the outermost pixels of a box in black, the next in white; of a box too small for both, the outermost in white.
    private func outline(_ box: PixelRectangle) {
        let line = sizes.line
        guard let within = box.inset(by: line) else { return canvas.fill(box, with: Self.inner) }
        guard let core = within.inset(by: line) else { return canvas.frame(within, thickness: line, with: Self.inner) }
        canvas.frame(within, thickness: line, with: Self.outer)
        canvas.frame(core, thickness: line, with: Self.inner)
    }
}
