import Presentation

/// Draws a colour bar with its numbers, its name, and arrows where values lie beyond its ends.
struct ColorBarDrawing {
    let bar: PixelRectangle
    let ticks: [AxisTick]
    /// Whether values lie below and above the colours.
    let beyond: (below: Bool, above: Bool)
    let name: String
    /// The column at which the name's print ends.
    let nameEnd: Int
    /// Pixels that the name may be long.
    let nameLimit: Int
    let colors: ColorTable
    let sizes: PrintSizes
    let canvas: Canvas

    /// Ticks of a bar of `height` pixels: two or more, since one number alone does not define a scale.
    static func ticks(_ range: ClosedRange<Double>, height: Int, sizes: PrintSizes) -> [AxisTick] {
        let count = Double(height) / (2.2 * sizes.number.size)
        let ticks = RoundSteps(range, atMost: Int(count)).ticks(over: range)
        return ticks.count > 1 ? ticks : RoundSteps(range, atMost: Int(1.7 * count)).ticks(over: range)
    }

    func draw() {
        canvas.draw(Raster(barOf: colors, width: bar.width, height: bar.height), x: bar.x, y: bar.y)
        canvas.frame(bar, thickness: sizes.line, with: sizes.theme.ink)
        drawArrows()
        canvas.drawTicks(ticks, beside: bar, atRight: true, sizes: sizes)
        canvas.draw(
            name, x: Double(nameEnd), y: bar.middle.y.rounded(), style: sizes.name, anchor: .middle, isUpward: true,
            limit: Double(nameLimit))
    }

    private func drawArrows() {
        let line = Double(sizes.line)
        let height = Double(sizes.triangle)
        if beyond.above {
            let base = Double(bar.y) - 2 * line
            drawArrow(base: base, tip: base - height, color: colors.entries.last)
        }
        if beyond.below {
            let base = Double(bar.bottom) + 2 * line
            drawArrow(base: base, tip: base + height, color: colors.entries.first)
        }
    }

    private func drawArrow(base: Double, tip: Double, color: RGB?) {
        let line = Double(sizes.line)
        let (left, right) = (Double(bar.x) - line, Double(bar.right) + line)
        let middle = (left + right) / 2
        canvas.fill(triangle: [(left, base), (right, base), (middle, tip)], with: sizes.theme.ink)
        guard let color else { return }
        let inward = tip < base ? -line : line
        canvas.fill(
            triangle: [
                (left + 2 * line, base + inward), (right - 2 * line, base + inward), (middle, tip - 2 * inward),
            ], with: color)
    }
}
