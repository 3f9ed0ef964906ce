/// Draws the parts of a picture where its layout puts them.
struct PictureDrawing {
    let picture: SpectrogramPicture
    let layout: PictureLayout
    let canvas: Canvas

    private static let ink = RGB(hex: 0x222222)
    private var sizes: PrintSizes { layout.sizes }

    /// Draws the whole picture.
    func draw() {
        drawHead()
        drawBody()
        frame(layout.body)
        drawTimeAxis()
        drawBinAxis()
        if picture.matrix.rows > 0 { drawColorBar() }
    }

    private func drawHead() {
        let limit = Double(picture.width - layout.body.x - sizes.margin)
        var baseline = sizes.margin
        if !picture.title.isEmpty {
            baseline += sizes.pixels(12)
            drawLine(picture.title, baseline: baseline, style: sizes.title, limit: limit)
            baseline += sizes.pixels(9)
        }
        if let subtitle = picture.subtitle {
            baseline += sizes.pixels(9)
            drawLine(subtitle, baseline: baseline, style: sizes.subtitle, limit: limit)
        }
    }

    private func drawLine(_ text: String, baseline: Int, style: TextStyle, limit: Double) {
        let fitting = canvas.shortened(text, style: style, limit: limit)
        canvas.draw(fitting, x: Double(layout.body.x), y: Double(baseline), style: style, anchor: .start)
    }

    private func drawBody() {
        let body = layout.body
        guard picture.matrix.rows > 0 else {
            canvas.fill(body, with: RGB(hex: 0xF4F4F4))
            canvas.draw(
                "no frames", x: Double(body.x) + Double(body.width) / 2, y: Double(body.y) + Double(body.height) / 2,
                style: sizes.name, anchor: .middle)
            return
        }
        let raster = Raster(
            picture.matrix, width: body.width, height: body.height, scale: layout.values, colors: picture.colors)
        canvas.surface.copy(raster, x: body.x, y: body.y)
    }

    /// Draws lines around a rectangle, outside it, so that they cover no value.
    private func frame(_ inner: PixelRectangle) {
        let line = sizes.line
        let width = inner.width + 2 * line
        for y in [inner.y - line, inner.bottom] {
            canvas.fill(PixelRectangle(x: inner.x - line, y: y, width: width, height: line), with: Self.ink)
        }
        for x in [inner.x - line, inner.right] {
            canvas.fill(PixelRectangle(x: x, y: inner.y, width: line, height: inner.height), with: Self.ink)
        }
    }

    private func drawTimeAxis() {
        let body = layout.body
        let tickTop = body.bottom + sizes.line
        let digits = canvas.digitHeight(sizes.number)
        let baseline = (Double(tickTop + sizes.tick + sizes.gap) + digits).rounded()
        for tick in layout.timeTicks {
            let x = column(of: tick)
            canvas.fill(PixelRectangle(x: x, y: tickTop, width: sizes.line, height: sizes.tick), with: Self.ink)
            canvas.draw(tick.label, x: Double(x), y: baseline, style: sizes.number, anchor: .middle)
        }
        let nameBaseline = Double(picture.height - sizes.margin)
        let middle = Double(body.x) + Double(body.width) / 2
        canvas.draw(layout.timeLabel, x: middle, y: nameBaseline, style: sizes.name, anchor: .middle)
    }

    private func drawBinAxis() {
        let tickRight = layout.body.x - sizes.line
        for tick in layout.bins.ticks {
            let y = row(of: tick)
            let mark = PixelRectangle(x: tickRight - sizes.tick, y: y, width: sizes.tick, height: sizes.line)
            canvas.fill(mark, with: Self.ink)
            canvas.draw(
                tick.label, x: Double(mark.x - sizes.gap), y: baseline(centredAt: y), style: sizes.number, anchor: .end)
        }
        drawName(layout.bins.label, x: sizes.margin + sizes.pixels(11))
    }

    private func drawColorBar() {
        let bar = layout.bar
        canvas.surface.copy(Raster(barOf: picture.colors, width: bar.width, height: bar.height), x: bar.x, y: bar.y)
        frame(bar)
        for tick in layout.valueTicks {
            let y = row(of: tick)
            let mark = PixelRectangle(x: bar.right + sizes.line, y: y, width: sizes.tick, height: sizes.line)
            canvas.fill(mark, with: Self.ink)
            canvas.draw(
                tick.label, x: Double(mark.right + sizes.gap), y: baseline(centredAt: y), style: sizes.number,
                anchor: .start)
        }
        drawName(picture.valueLabel, x: picture.width - sizes.margin)
    }

    /// Draws the name of a vertical axis, upward, its baseline at `x`.
    private func drawName(_ name: String, x: Int) {
        let body = layout.body
        let fitting = canvas.shortened(name, style: sizes.name, limit: Double(body.height + 2 * sizes.margin))
        let middle = Double(body.y) + Double(body.height) / 2
        canvas.draw(fitting, x: Double(x), y: middle.rounded(), style: sizes.name, anchor: .middle, isUpward: true)
    }

    /// The column of a tick on the horizontal axis; the ends stay within the spectrogram.
    private func column(of tick: AxisTick) -> Int {
        let body = layout.body
        return min(body.x + Int(tick.position * Double(body.width)), body.right - sizes.line)
    }

    /// The row of a tick on a vertical axis; the ends stay within the spectrogram.
    private func row(of tick: AxisTick) -> Int {
        let body = layout.body
        return min(body.y + Int((1 - tick.position) * Double(body.height)), body.bottom - sizes.line)
    }

    /// The baseline of a number whose digits are centred at a row.
    private func baseline(centredAt row: Int) -> Double {
        (Double(row) + Double(sizes.line) / 2 + canvas.digitHeight(sizes.number) / 2).rounded()
    }
}
