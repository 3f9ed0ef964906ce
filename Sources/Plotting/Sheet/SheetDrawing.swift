import FeatureModel
import Presentation

extension ContactSheet {
    /// The sheet as a file of a format. Equal sheets give equal bytes on one system.
    ///
    /// - Throws: `PlotError` where the sheet is too narrow for a tile, or would be too high.
    package func file(as format: PictureFormat) throws(PlotError) -> PictureFile {
        PictureFile(bytes: try draw(format).canvas.bytes())
    }

    func draw(_ format: PictureFormat) throws(PlotError) -> (canvas: Canvas, layout: SheetLayout) {
        let sizes = PrintSizes(style)
        let scales = SheetScales(self)
        // Texts are measured before the height is known.
        let measure = try Canvas(
            width: 1, height: 1, background: style.theme.background, format: format, dpi: style.dpi)
        let numbers = [scales.values, scales.spread].compactMap { $0 }
            .flatMap { scale in
                [SheetLayout.barHeights.lowerBound, SheetLayout.barHeights.upperBound].map { (scale, $0) }
            }
            .flatMap { ColorBarDrawing.ticks($0.range, height: sizes.pixels($1), sizes: sizes) }
        let widest = numbers.map { measure.width(of: $0.label, style: sizes.number) }.max() ?? 0
        let limit = Double(style.columns - 2 * sizes.margin)
        let lines = (notes + (isOfWaveforms ? [scales.words] : [])).flatMap {
            measure.lines(of: $0, style: sizes.note, limit: limit)
        }
        let layout = try SheetLayout(
            tiles: groups.map(\.tiles.count), bars: isOfWaveforms ? 0 : scales.spread == nil ? 1 : 2,
            numberWidth: Int(widest.rounded(.up)), notes: lines.count, width: style.columns, sizes: sizes)
        let height = layout.groups.first { !$0.tiles.isEmpty }?.tiles.first?.height ?? 1
        let bins = groups.first { !$0.tiles.isEmpty }?.tiles.first?.matrix.bins ?? 1
        let scale = try BinScale(axis, bins: bins, display: frequencies, spacing: 0.2)

        let canvas = try Canvas(
            width: layout.width, height: layout.height, background: style.theme.background, format: format,
            dpi: style.dpi)
        SheetDrawing(
            sheet: self, layout: layout, scales: scales, notes: lines, sizes: sizes, rows: scale.rows(height),
            canvas: canvas
        ).draw()
        try canvas.finish()
        return (canvas, layout)
    }
}

extension Canvas {
    /// A text in lines of at most `limit` pixels, broken at spaces; a word that is wider than a line is shortened.
    func lines(of text: String, style: TextStyle, limit: Double) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = lines.last.map { "\($0) \(word)" }
            if let longer, width(of: longer, style: style) <= limit {
                lines[lines.count - 1] = longer
            } else {
                lines.append(shortened(String(word), style: style, limit: limit))
            }
        }
        return lines
    }
}

struct SheetDrawing {
    let sheet: ContactSheet
    let layout: SheetLayout
    let scales: SheetScales
    let notes: [String]
    let sizes: PrintSizes
    /// The bins on each row of a tile's pixels.
    let rows: [Range<Int>]
    let canvas: Canvas

    private var theme: Theme { sizes.theme }

    func draw() {
        drawHead()
        for (group, area) in zip(sheet.groups, layout.groups) { draw(group, area) }
        drawBars()
        for (line, note) in notes.enumerated() {
            let y = layout.foot.y + line * sizes.pixels(15) + sizes.pixels(11)
            canvas.draw(note, x: Double(layout.foot.x), y: Double(y), style: sizes.note, anchor: .start)
        }
    }

    private func drawHead() {
        let head = layout.head
        let scaleWidth = drawTimeScale()
        let limit = Double(head.width - scaleWidth - sizes.pixels(24))
        let lines: [(String, TextStyle, Int, LostPart)] = [
            (sheet.title, sizes.title, head.y + sizes.pixels(14), .middle),
            (sheet.subtitle, sizes.subtitle, head.y + sizes.pixels(34), .end),
        ]
        for (text, style, baseline, lost) in lines {
            canvas.draw(
                text, x: Double(head.x), y: Double(baseline), style: style, anchor: .start, limit: limit, losing: lost)
        }
    }

    /// Draws a line as long as a round time in every tile, at the right, as on a map; returns its width in pixels.
    private func drawTimeScale() -> Int {
        guard let tile = layout.groups.first(where: { !$0.tiles.isEmpty })?.tiles.first else { return 0 }
        let seconds = Double(sheet.frames) * sheet.framePeriod
        let steps = RoundSteps(0...seconds, atMost: 3)
        guard steps.numbers.count > 1 else { return 0 }
        let length = Int((steps.numbers[1].value / seconds * Double(tile.width)).rounded())
        let label = "\(steps.labels[1]) s"
        let (right, y) = (layout.head.right, layout.head.y + sizes.pixels(31))
        let ends = [right - length, right - sizes.line]
        canvas.fill(PixelRectangle(x: right - length, y: y, width: length, height: sizes.line), with: theme.ink)
        canvas.fill(
            ends.map { PixelRectangle(x: $0, y: y - sizes.pixels(3), width: sizes.line, height: sizes.pixels(6)) },
            with: theme.ink)
        canvas.draw(
            label, x: Double(right - length - sizes.gap), y: Double(y) + canvas.digitHeight(sizes.number) / 2,
            style: sizes.number, anchor: .end)
        return length + sizes.gap + Int(canvas.width(of: label, style: sizes.number).rounded(.up))
    }

    private func draw(_ group: SheetGroup, _ area: SheetLayout.Group) {
        let baseline = Double(area.head.y + sizes.pixels(14))
        let noteWidth = canvas.width(of: group.note, style: sizes.note)
        let room = Double(area.head.width)
        let title = canvas.shortened(
            group.title, style: sizes.panelTitle, limit: max(room - noteWidth - Double(sizes.pixels(12)), room / 2))
        let titleWidth = canvas.width(of: title, style: sizes.panelTitle)
        canvas.draw(title, x: Double(area.head.x), y: baseline, style: sizes.panelTitle, anchor: .start)
        let gap = titleWidth > 0 ? Double(sizes.pixels(10)) : 0
        canvas.draw(
            group.note, x: Double(area.head.x) + titleWidth + gap, y: baseline, style: sizes.note, anchor: .start,
            limit: room - titleWidth - gap)
        for (index, tile) in group.tiles.enumerated() { draw(tile, area.tiles[index], area.captions[index]) }
    }

    private func draw(_ tile: SheetTile, _ area: PixelRectangle, _ below: PixelRectangle) {
        let shown = min(tile.matrix.rows, sheet.frames)
        let filled = shown == 0 ? 0 : max(Int((Double(shown) / Double(sheet.frames) * Double(area.width)).rounded()), 1)
        if filled < area.width { canvas.fill(area, with: theme.empty) }
        let scale = tile.kind == .spread ? scales.spread ?? scales.values : scales.values
        if sheet.isOfWaveforms {
            let part = PixelRectangle(x: area.x, y: area.y, width: filled, height: area.height)
            canvas.drawWaveform(tile.matrix.first(shown).values, in: part, of: area, range: scale.range, theme)
        } else if filled > 0 {
            let raster = Raster(
                tile.matrix.first(shown), width: filled, bins: rows, scale: scale, colors: sheet.style.colors)
            canvas.draw(raster, x: area.x, y: area.y)
        }
        canvas.frame(area, thickness: sizes.line, with: tile.kind == .clip ? theme.faint : theme.ink)
        if tile.continues {
            let (x, middle) = (Double(area.right + 2 * sizes.line), area.middle.y)
            let half = Double(sizes.pixels(4))
            canvas.fill(triangle: [(x, middle - half), (x, middle + half), (x + half, middle)], with: theme.ink)
        }
        for (text, style, offset) in [(tile.caption, sizes.caption, 11.0), (tile.note, sizes.note, 23.0)] {
            canvas.draw(
                text, x: Double(below.x), y: Double(below.y + sizes.pixels(offset)), style: style, anchor: .start,
                limit: Double(below.width))
        }
    }

    private func drawBars() {
        for (index, bar) in layout.bars.enumerated() {
            let spread = index == 1 ? scales.spread : nil
            ColorBarDrawing(
                bar: bar.colors,
                ticks: ColorBarDrawing.ticks((spread ?? scales.values).range, height: bar.colors.height, sizes: sizes),
                beyond: spread == nil ? scales.beyond : (below: false, above: scales.isSpreadBeyond),
                name: spread == nil ? sheet.valueLabel : "spread", nameEnd: bar.legend.right - sizes.pixels(3),
                nameLimit: bar.legend.height, colors: sheet.style.colors, sizes: sizes, canvas: canvas
            ).draw()
        }
    }
}

struct SheetScales: Sendable {
    let values: ValueScale
    let beyond: (below: Bool, above: Bool)
    /// The scale of spreads, from 0; nil: there are no spreads.
    let spread: ValueScale?
    let isSpreadBeyond: Bool

    /// The ends of the scales, for tiles that have no colours.
    var words: String {
        func ends(_ scale: ValueScale) -> String {
            [scale.range.lowerBound, scale.range.upperBound].map { $0.significant(3) }.joined(separator: " to ")
        }
        return
            "From the bottom to the top of a tile: \(ends(values))\(spread.map { "; of a spread \(ends($0))" } ?? "")."
    }

    /// The values of the clips, or of the means if no clip is shown; spreads have their own, up to the 99.5th percentile.
    init(_ sheet: ContactSheet) {
        let ranks = RankedValues(sheet.values(of: sheet.has(.clip) ? .clip : .mean))
        let values = ValueScale(sheet.span, of: ranks)
        self.values = values
        beyond = values.isExceeded(by: ranks)
        let spreads = RankedValues(sheet.values(of: .spread))
        let high = max(spreads.value(at: 0.995) ?? 0, 0)
        spread = sheet.has(.spread) ? ValueScale(0...(high > 0 ? high : 1)) : nil
        isSpreadBeyond = spread?.isExceeded(by: spreads).above ?? false
    }
}
