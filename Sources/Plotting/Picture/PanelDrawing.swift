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
        guard !panel.isWaveform else { return drawWaveform() }
        let raster = Raster(
            panel.matrix, width: layout.filled.width, bins: layout.bins.rows(body.height), scale: values,
            colors: colors)
        canvas.draw(raster, x: layout.filled.x, y: body.y)
    }

    /// Draws samples that are the features: as the waveform that they are.
    private func drawWaveform() {
        let (body, filled, range) = (layout.body, layout.filled, values.range)
        canvas.fill(body, with: theme.empty)
        let blocks = PixelBlocks(count: panel.matrix.rows, pixels: filled.width)
        let columns = Self.wave(filled.width, from: filled.x) { value in
            let height = (range.upperBound - value) / (range.upperBound - range.lowerBound) * Double(body.height)
            return body.y + Int(min(max(height, 0), Double(body.height - 1)))
        } extremes: { column in
            let shown = panel.matrix.values[blocks.block(column)].filter(\.isFinite)
            return shown.min().flatMap { least in shown.max().map { least...$0 } }
        }
        canvas.fill(columns, with: theme.wave)
    }

    /// The pixels of a waveform: in every column from its minimum to its maximum sample, joined to the column before, so that a line
    /// has no gaps where samples are wider than pixels.
    ///
    /// - Parameters:
    ///   - count: The number of columns, of which the first is at `x`.
    ///   - row: The row of a value.
    ///   - extremes: The values at the two ends of a column, counted from 0; nil: there are none.
    private static func wave(
        _ count: Int, from x: Int, row: (Double) -> Int, extremes: (Int) -> ClosedRange<Float>?
    ) -> [PixelRectangle] {
        var last: ClosedRange<Int>?
        return (0..<count).compactMap { column in
            guard let extremes = extremes(column) else { return nil }
            let own = row(Double(extremes.upperBound))...row(Double(extremes.lowerBound))
            let top = last.map { min(own.lowerBound, $0.upperBound + 1) } ?? own.lowerBound
            let bottom = last.map { max(own.upperBound, $0.lowerBound - 1) } ?? own.upperBound
            last = own
            return PixelRectangle(x: x + column, y: top, width: 1, height: bottom - top + 1)
        }
    }

    /// Draws the waveform of the recording.
    private func drawStrip() {
        guard let strip = layout.strip else { return }
        canvas.fill(strip, with: theme.empty)
        if let envelope = panel.envelope {
            let span = layout.time.range.upperBound - layout.time.range.lowerBound
            let start = layout.time.range.lowerBound
            let columns = Self.wave(layout.filled.right - layout.body.x, from: strip.x) {
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
