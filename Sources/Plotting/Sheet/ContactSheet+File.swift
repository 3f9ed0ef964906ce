extension ContactSheet {
    /// The sheet as a file of a format. Equal sheets give equal bytes on one system.
    ///
    /// - Throws: `PlotError` where the sheet is too narrow for a tile, or would be too high.
    package func file(as format: PictureFormat) throws(PlotError) -> PictureFile {
        PictureFile(bytes: try draw(format).canvas.bytes())
    }

    /// The pixels of the sheet, and where in them things stand.
    func drawn() throws(PlotError) -> (pixels: Raster, layout: SheetLayout) {
        let (canvas, layout) = try draw(.png)
        return (canvas.raster() ?? Raster(width: 0, height: 0, filledWith: style.theme.background), layout)
    }

    private func draw(_ format: PictureFormat) throws(PlotError) -> (canvas: Canvas, layout: SheetLayout) {
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
        let lines = notes.flatMap { measure.lines(of: $0, style: SheetDrawing.small(sizes), limit: limit) }
        let layout = try SheetLayout(
            SheetLayout.Content(
                tiles: groups.map(\.tiles.count), bars: scales.spread == nil ? 1 : 2,
                numberWidth: Int(widest.rounded(.up)), notes: lines.count),
            width: style.columns, sizes: sizes)
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
