/// Draws a colour bar with its numbers, its name, and arrows where values lie beyond its ends.
struct ColorBarDrawing {
    let bar: SheetLayout.Bar
    let scale: ValueScale
    let beyond: (below: Bool, above: Bool)
    let name: String
    let colors: ColorTable
    let sizes: PrintSizes
    let canvas: Canvas

    /// Ticks of a bar: two or more, since one number alone does not tell what a colour means.
    static func ticks(_ scale: ValueScale, height: Int, sizes: PrintSizes) -> [AxisTick] {
        let count = Double(height) / (2.2 * sizes.number.size)
        let ticks = RoundSteps(scale.range, atMost: Int(count)).ticks(over: scale.range)
        return ticks.count > 1 ? ticks : RoundSteps(scale.range, atMost: Int(1.7 * count)).ticks(over: scale.range)
    }

    /// Draws it.
    func draw() {
        let area = bar.colors
        canvas.place(Raster(barOf: colors, width: area.width, height: area.height), x: area.x, y: area.y)
        canvas.frame(area, thickness: sizes.line, with: sizes.theme.ink)
        drawArrows()
        for tick in Self.ticks(scale, height: area.height, sizes: sizes) {
            let y = min(area.y + Int((1 - tick.position) * Double(area.height)), area.bottom - sizes.line)
            let mark = PixelRectangle(x: area.right + sizes.line, y: y, width: sizes.tick, height: sizes.line)
            canvas.fill(mark, with: sizes.theme.ink)
            let baseline = (Double(y) + Double(sizes.line) / 2 + canvas.digitHeight(sizes.number) / 2).rounded()
            canvas.draw(
                tick.label, x: Double(mark.right + sizes.gap), y: baseline, style: sizes.number, anchor: .start)
        }
        let fitting = canvas.shortened(name, style: sizes.name, limit: Double(bar.legend.height))
        canvas.draw(
            fitting, x: Double(bar.legend.right - sizes.pixels(3)), y: Double(area.y + area.height / 2),
            style: sizes.name, anchor: .middle, isUpward: true)
    }

    private func drawArrows() {
        let area = bar.colors
        let (left, right) = (Double(area.x), Double(area.right))
        let middle = (left + right) / 2
        let distance = Double(2 * sizes.line)
        let height = Double(sizes.pixels(6))
        if beyond.above {
            let base = Double(area.y) - distance
            canvas.fill(triangle: [(left, base), (right, base), (middle, base - height)], with: sizes.theme.ink)
        }
        if beyond.below {
            let base = Double(area.bottom) + distance
            canvas.fill(triangle: [(left, base), (right, base), (middle, base + height)], with: sizes.theme.ink)
        }
    }
}
