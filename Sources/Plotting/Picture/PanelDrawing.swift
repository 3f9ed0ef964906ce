import Presentation

struct PanelDrawing {
    let panel: SpectrogramPanel
    let layout: PanelLayout
    let sizes: PrintSizes
    let values: ValueScale
    let colors: ColorTable
    /// The lanes of the label strip; nil: annotations are boxes.
    let lanes: LabelLanes?
    let isAlone: Bool
    let canvas: Canvas

    private var theme: Theme { sizes.theme }

    func draw() -> AnnotationCount {
        drawStrip()
        drawBody()
        let marks = panel.matrix.rows > 0 ? drawAnnotations() : AnnotationCount()
        drawHead(remark: remark(marks))
        canvas.frame(layout.body, thickness: sizes.line, with: theme.ink)
        drawTimeAxis()
        canvas.drawTicks(layout.bins.ticks, beside: layout.body, atRight: false, sizes: sizes)
        drawName()
        return marks
    }

    private func drawAnnotations() -> AnnotationCount {
        guard let lanes, let area = layout.lanes else {
            return AnnotationDrawing(annotations: panel.annotations, layout: layout, sizes: sizes, canvas: canvas)
                .draw()
        }
        return LaneDrawing(
            annotations: panel.annotations, lanes: lanes, layout: layout, area: area, sizes: sizes, canvas: canvas
        ).draw()
    }

    /// What the picture does not show of the annotations at the panel's times.
    private func remark(_ marks: AnnotationCount) -> String {
        guard marks.drawn > 0 else { return "" }
        var parts: [String] = []
        if marks.cut > 0 { parts.append("\(marks.cut) cut") }
        if marks.beyondBand > 0 { parts.append("\(marks.beyondBand) outside") }
        if !parts.isEmpty { parts[0] = "boxes: " + parts[0] }
        if !marks.isComplete {
            parts.append("\(marks.named) of \(marks.labelled) \(lanes == nil ? "boxes" : "annotations") named")
        }
        return parts.joined(separator: ", ")
    }

    /// Draws title and subtitle, and at the right of the last line the remark.
    private func drawHead(remark: String) {
        let room = Double(layout.body.width)
        var limit = room
        if panel.subtitle != nil || !panel.title.isEmpty, !remark.isEmpty {
            let fitting = canvas.shortened(remark, style: sizes.subtitle, limit: room)
            let y = Double(layout.cell.y + sizes.pixels(panel.title.isEmpty || panel.subtitle == nil ? 12 : 30))
            canvas.draw(fitting, x: Double(layout.body.right), y: y, style: sizes.subtitle, anchor: .end)
            limit = max(room - canvas.width(of: fitting, style: sizes.subtitle) - Double(sizes.pixels(16)), 0)
        }
        var baseline = layout.cell.y
        if !panel.title.isEmpty {
            baseline += sizes.pixels(12)
            canvas.draw(
                panel.title, x: Double(layout.body.x), y: Double(baseline),
                style: isAlone ? sizes.title : sizes.panelTitle, anchor: .start,
                limit: panel.subtitle == nil ? limit : room)
            baseline += sizes.pixels(9)
        }
        if let subtitle = panel.subtitle {
            baseline += sizes.pixels(9)
            canvas.draw(
                subtitle, x: Double(layout.body.x), y: Double(baseline), style: sizes.subtitle, anchor: .start,
                limit: limit, losing: .end)
        }
    }

    private func drawBody() {
        let body = layout.body
        if layout.filled.width < body.width { canvas.fill(body, with: theme.empty) }
        guard panel.matrix.rows > 0 else {
            canvas.draw("no frames", x: body.middle.x, y: body.middle.y, style: sizes.name, anchor: .middle)
            return
        }
        guard !panel.isWaveform else {
            return canvas.drawWaveform(panel.matrix.values, in: layout.filled, of: body, range: values.range, theme)
        }
        let raster = Raster(
            panel.matrix, width: layout.filled.width, bins: layout.bins.rows(body.height), scale: values,
            colors: colors)
        canvas.draw(raster, x: layout.filled.x, y: body.y)
    }

    /// Draws the waveform of the recording.
    private func drawStrip() {
        guard let strip = layout.strip else { return }
        canvas.fill(strip, with: theme.empty)
        if let envelope = panel.envelope {
            let span = layout.time.range.upperBound - layout.time.range.lowerBound
            let start = layout.time.range.lowerBound
            let columns = Waveform.columns(layout.filled.right - layout.body.x, from: strip.x) {
                row(of: $0, in: strip)
            } extremes: { x in
                let from = start + Double(x) / Double(strip.width) * span
                let to = start + Double(x + 1) / Double(strip.width) * span
                return envelope.extremes(from: from, to: to)
            }
            canvas.fill(columns, with: theme.wave)
        }
        canvas.frame(strip, thickness: sizes.line, with: theme.ink)
        canvas.drawTicks(layout.stripTicks, beside: strip, atRight: false, sizes: sizes)
    }

    private func row(of amplitude: Double, in strip: PixelRectangle) -> Int {
        let height = (1 - amplitude / layout.peak) / 2 * Double(strip.height)
        return strip.y + min(max(Int(height), 0), strip.height - 1)
    }

    private func drawTimeAxis() {
        let body = layout.body
        let tickTop = body.bottom + sizes.line
        let digits = canvas.digitHeight(sizes.number)
        let baseline = (Double(tickTop + sizes.tick + sizes.gap) + digits).rounded()
        canvas.drawTicks(layout.timeTicks, top: tickTop, baseline: baseline, sizes: sizes) {
            min(body.x + Int($0.position * Double(body.width)), body.right - sizes.line)
        }
        guard layout.namesTime else { return }
        let nameBaseline = Double(layout.cell.bottom + sizes.pixels(9) + sizes.pixels(11))
        canvas.draw(layout.time.label, x: body.middle.x, y: nameBaseline, style: sizes.name, anchor: .middle)
    }

    /// Draws the name of the vertical axis, upward: the first that has room.
    private func drawName() {
        let (names, body) = (layout.bins.labels, layout.body)
        let limit = Double(body.height + 2 * sizes.margin)
        let name = names.first { canvas.width(of: $0, style: sizes.name) <= limit } ?? names.last ?? ""
        canvas.draw(
            name, x: Double(layout.cell.x + sizes.pixels(11)), y: body.middle.y.rounded(),
            style: sizes.name, anchor: .middle, isUpward: true, limit: limit)
    }
}
