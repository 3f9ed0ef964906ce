/// Draws the parts of a picture where its layout puts them.
struct PictureDrawing {
    let picture: SpectrogramPicture
    let layout: PictureLayout
    let canvas: Canvas

    private var sizes: PrintSizes { layout.sizes }
    private var ink: RGB { picture.style.theme.ink }

    /// Draws the whole picture; returns how many annotations' labels found no room.
    func draw() -> Int {
        var labelsWithoutRoom = 0
        for (panel, place) in zip(picture.panels, layout.panels) {
            let drawing = PanelDrawing(
                panel: panel, layout: place, sizes: sizes, values: layout.values, colors: picture.style.colors,
                isAlone: picture.panels.count == 1, canvas: canvas)
            labelsWithoutRoom += drawing.draw()
        }
        if picture.panels.contains(where: { $0.matrix.rows > 0 }) { drawColorBar() }
        return labelsWithoutRoom
    }

    private func drawColorBar() {
        let bar = layout.bar
        canvas.place(Raster(barOf: picture.style.colors, width: bar.width, height: bar.height), x: bar.x, y: bar.y)
        canvas.frame(bar, thickness: sizes.line, with: ink)
        drawTriangles()
        for tick in layout.valueTicks {
            let y = min(bar.y + Int((1 - tick.position) * Double(bar.height)), bar.bottom - sizes.line)
            let mark = PixelRectangle(x: bar.right + sizes.line, y: y, width: sizes.tick, height: sizes.line)
            canvas.fill(mark, with: ink)
            let baseline = (Double(y) + Double(sizes.line) / 2 + canvas.digitHeight(sizes.number) / 2).rounded()
            canvas.draw(
                tick.label, x: Double(mark.right + sizes.gap), y: baseline, style: sizes.number, anchor: .start)
        }
        let fitting = canvas.shortened(
            picture.valueLabel, style: sizes.name, limit: Double(bar.height + 2 * sizes.margin))
        canvas.draw(
            fitting, x: Double(picture.style.columns - sizes.margin),
            y: (Double(bar.y) + Double(bar.height) / 2).rounded(), style: sizes.name, anchor: .middle, isUpward: true)
    }

    /// Arrows beyond the bar's ends where values lie beyond its range, in the colour that these have.
    private func drawTriangles() {
        let bar = layout.bar
        let entries = picture.style.colors.entries
        let line = Double(sizes.line)
        let (left, right) = (Double(bar.x) - line, Double(bar.right) + line)
        func triangle(base: Double, tip: Double, color: RGB?) {
            let middle = (left + right) / 2
            canvas.fill(triangle: [(left, base), (right, base), (middle, tip)], with: ink)
            guard let color else { return }
            let inward = tip < base ? -line : line
            canvas.fill(
                triangle: [
                    (left + 2 * line, base + inward), (right - 2 * line, base + inward), (middle, tip - 2 * inward),
                ], with: color)
        }
        let height = Double(sizes.triangle)
        if layout.beyond.above {
            let base = Double(bar.y) - 2 * line
            triangle(base: base, tip: base - height, color: entries.last)
        }
        if layout.beyond.below {
            let base = Double(bar.bottom) + 2 * line
            triangle(base: base, tip: base + height, color: entries.first)
        }
    }
}
