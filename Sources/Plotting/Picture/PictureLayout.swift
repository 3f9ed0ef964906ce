import Presentation

struct PictureLayout: Sendable {
    let sizes: PrintSizes
    let values: ValueScale
    /// Whether values lie below and above them.
    let beyond: (below: Bool, above: Bool)
    let panels: [PanelLayout]
    /// The lanes of the label strip; nil: annotations are boxes, or there are none.
    let lanes: LabelLanes?
    let bar: PixelRectangle
    let valueTicks: [AxisTick]

    /// Lays out the heights first, then the vertical axes, whose numbers' widths determine the columns, then the horizontal axes.
    ///
    /// - Throws: `PlotError` if the picture has no room for its panels.
    init(_ picture: SpectrogramPicture, measuring canvas: Canvas) throws(PlotError) {
        let sizes = PrintSizes(picture.style)
        let lanes = Self.lanes(picture, sizes, canvas)
        self.lanes = lanes
        let heights = PanelHeights(picture, sizes, lanes: lanes?.lanes.count ?? 0)
        func widest(_ ticks: [AxisTick]) -> Int {
            Int((ticks.map { canvas.width(of: $0.label, style: sizes.number) }.max() ?? 0).rounded(.up))
        }

        let ranks = RankedValues(picture.panels.map(\.matrix.values))
        let values = ValueScale(picture.span, of: ranks)
        self.sizes = sizes
        self.values = values
        beyond = values.isExceeded(by: ranks)

        // The heights: one name of the time axis below all.
        let top = sizes.margin
        let height = picture.style.rows - top - sizes.margin - heights.timeName
        let rows = (picture.panels.count + picture.across - 1) / picture.across
        let cellHeight = max((height - (rows - 1) * heights.space) / rows, 0)
        let bodyHeight = cellHeight - heights.head - heights.strip(cellHeight) - heights.foot
        guard bodyHeight >= sizes.pixels(32) else { throw Self.tooSmall("height", picture, sizes) }
        let spacing = 2.2 * sizes.number.size / Double(bodyHeight)

        var scales: [BinScale] = []
        for panel in picture.panels {
            scales.append(
                panel.isWaveform
                    ? BinScale(values: values.range, name: picture.valueLabel, spacing: spacing)
                    : try BinScale(
                        panel.axis, bins: panel.matrix.bins, display: picture.frequencies, band: picture.band,
                        spacing: spacing))
        }
        let peaks = picture.panels.compactMap { $0.envelope?.peak }
        let peak = Double(max(peaks.max() ?? 0, 1e-6))
        let stripTicks = picture.panels.contains { $0.envelope != nil } ? Self.stripTicks(peak) : []

        // The columns.
        let name = sizes.pixels(12) + sizes.pixels(8)
        let numbers = max(scales.map { widest($0.ticks) }.max() ?? 0, widest(stripTicks))
        // The names of lanes may be as wide as the axis' name and numbers, or wider: up to a sixth of the panel's width.
        let laneNames = lanes.map { lanes in
            lanes.lanes.indices.map { canvas.width(of: lanes.name($0), style: sizes.lane) }.max() ?? 0
        }
        let laneRoom = min(Int((laneNames ?? 0).rounded(.up)), picture.style.columns / picture.across / 6) + sizes.gap
        let left = max(name + numbers + sizes.gap + sizes.tick + sizes.line, lanes == nil ? 0 : laneRoom)
        let valueTicks = ColorBarDrawing.ticks(values.range, height: height - heights.head - heights.foot, sizes: sizes)
        let barWidth = picture.hasColors ? sizes.bar : 0
        func grid(right: Int) -> PanelGrid {
            let area = PixelRectangle(
                x: sizes.margin, y: top, width: picture.style.columns - sizes.margin - barWidth - right, height: height)
            return PanelGrid(
                count: picture.panels.count, across: picture.across, area: area,
                spaces: (x: sizes.pixels(16), y: heights.space))
        }
        let longest = picture.panels.map(\.extent).max() ?? 0
        let span = longest > 0 ? longest : 1
        let times = picture.panels.map { panel in
            TimeAxis(
                panel.axisStart...panel.axisStart + span, display: picture.time, startTime: picture.startTime,
                offset: panel.recordingOffset)
        }
        func timeTicks(_ time: TimeAxis, width: Int) -> [AxisTick] {
            longest > 0 ? Self.timeTicks(time, width: width, sizes: sizes, widest: widest) : []
        }
        let right: Int
        if picture.hasColors {
            right = sizes.margin + barWidth + sizes.tick + sizes.gap + widest(valueTicks) + name
        } else {
            // Half of the number of a tick at the right edge is outside the panel.
            let width = (grid(right: sizes.margin).cells.first?.width ?? 0) - left
            let number = times.map { widest(timeTicks($0, width: width)) }.max() ?? 0
            right = max(sizes.margin, number / 2 + sizes.gap)
        }
        let grid = grid(right: right)
        let bodyWidth = (grid.cells.first?.width ?? 0) - left
        guard bodyWidth >= (picture.panels.count == 1 ? 16 : sizes.pixels(60)) else {
            throw Self.tooSmall("width", picture, sizes)
        }

        panels = picture.panels.indices.map { index in
            let panel = picture.panels[index]
            let cell = grid.cells[index]
            let stripHeight = heights.strip(cellHeight)
            let body = PixelRectangle(
                x: cell.x + left, y: cell.y + heights.head + stripHeight, width: bodyWidth, height: bodyHeight)
            let share = longest > 0 ? panel.duration / longest : 0
            let filled = min(max(Int((share * Double(bodyWidth)).rounded()), panel.matrix.rows > 0 ? 1 : 0), bodyWidth)
            let lead = longest > 0 ? (panel.start - panel.axisStart) / longest : 0
            let skipped = min(Int((lead * Double(bodyWidth)).rounded()), bodyWidth - filled)
            return PanelLayout(
                cell: cell, body: body,
                filled: PixelRectangle(x: body.x + skipped, y: body.y, width: filled, height: bodyHeight),
                strip: stripHeight > 0
                    ? PixelRectangle(
                        x: body.x, y: cell.y + heights.head, width: bodyWidth, height: stripHeight - sizes.pixels(8))
                    : nil,
                stripTicks: stripTicks, peak: peak,
                lanes: lanes.map { lanes in
                    PixelRectangle(
                        x: body.x, y: body.bottom + heights.timeTicks + sizes.gap, width: bodyWidth,
                        height: lanes.lanes.count * sizes.laneHeight)
                }, bins: scales[index], time: times[index],
                timeTicks: timeTicks(times[index], width: bodyWidth),
                namesTime: grid.isLowest(index))
        }

        let first = panels[0].strip ?? panels[0].body
        let end = panels.map(\.body.bottom).max() ?? first.bottom
        let upper = first.y + (beyond.above ? sizes.triangle + 2 * sizes.line : 0)
        let lower = end - (beyond.below ? sizes.triangle + 2 * sizes.line : 0)
        bar = PixelRectangle(
            x: picture.style.columns - right, y: upper, width: barWidth, height: max(lower - upper, 2))
        self.valueTicks = valueTicks
    }

    /// The lanes of the annotations; nil: they are drawn as boxes.
    private static func lanes(_ picture: SpectrogramPicture, _ sizes: PrintSizes, _ canvas: Canvas) -> LabelLanes? {
        let annotations = picture.panels.map { panel in
            panel.annotations.filter { $0.end >= panel.axisStart && $0.start <= panel.start + panel.duration }
        }
        let isStrip = picture.annotationStyle.isStrip(annotations, width: picture.style.columns / picture.across) {
            Int(canvas.width(of: $0, style: sizes.tag)) + 2 * sizes.pixels(3)
        }
        guard isStrip, annotations.contains(where: { !$0.isEmpty }) else { return nil }
        // At most three tenths of the height.
        let rows = (picture.panels.count + picture.across - 1) / picture.across
        return LabelLanes(annotations.joined(), limit: picture.style.rows / rows * 3 / 10 / max(sizes.laneHeight, 1))
    }

    /// The finest ticks with enough distance between their numbers; two or more if possible, since one does not define a scale.
    private static func timeTicks(
        _ time: TimeAxis, width: Int, sizes: PrintSizes, widest: ([AxisTick]) -> Int
    ) -> [AxisTick] {
        let maximum = max(width / max(sizes.pixels(56), 1), 2)
        for count in Array((2...maximum).reversed()) + Array(maximum + 1...2 * maximum + 2) {
            let ticks = time.ticks(atMost: count)
            guard ticks.count > 1 else { continue }
            let distance = (ticks[1].position - ticks[0].position) * Double(width)
            if distance >= Double(widest(ticks)) + 1.5 * sizes.number.size { return ticks }
        }
        return time.ticks(atMost: 2)
    }

    private static func stripTicks(_ peak: Double) -> [AxisTick] {
        let ticks = RoundSteps(-peak...peak, atMost: 6).ticks(over: -peak...peak)
        // The middle and the outermost are enough for a low strip.
        guard let first = ticks.first, let last = ticks.last, ticks.count > 3 else { return ticks }
        return [first] + ticks.filter { ($0.position - 0.5).magnitude < 1e-9 } + [last]
    }

    private static func tooSmall(_ side: String, _ picture: SpectrogramPicture, _ sizes: PrintSizes) -> PlotError {
        let found = side == "height" ? picture.style.height : picture.style.width
        return .invalidSetting(
            name: side, found: "\(found) pixels",
            expected: "more for \(Wording.count(picture.panels.count, "panel")), "
                + "\(picture.across) side by side, in print of \(picture.style.fontSize) pixels")
    }
}

/// Cells of equal size in columns and rows, in reading order.
struct PanelGrid: Hashable, Sendable {
    let columns: Int
    let rows: Int
    let cells: [PixelRectangle]

    /// Divides an area; pixels that do not divide evenly are left free at its right and lower edges.
    ///
    /// - Parameter across: Maximum number of columns, 1 or more.
    init(count: Int, across: Int, area: PixelRectangle, spaces: (x: Int, y: Int)) {
        columns = min(across, count)
        rows = (count + columns - 1) / columns
        let width = max((area.width - (columns - 1) * spaces.x) / columns, 0)
        let height = max((area.height - (rows - 1) * spaces.y) / rows, 0)
        cells = (0..<count).map { [columns] index in
            PixelRectangle(
                x: area.x + index % columns * (width + spaces.x), y: area.y + index / columns * (height + spaces.y),
                width: width, height: height)
        }
    }

    func isLowest(_ index: Int) -> Bool { index + columns >= cells.count }
}

/// Heights of the print above and below the spectrograms, in pixels.
struct PanelHeights: Sendable {
    let head: Int
    /// Ticks of the time axis and their numbers, and the label strip.
    let foot: Int
    /// Ticks of the time axis and their numbers alone.
    let timeTicks: Int
    let timeName: Int
    /// Between rows of panels.
    let space: Int
    private let hasStrip: Bool
    private let minimumStrip: Int

    /// - Parameter lanes: Number of lanes of the label strip; 0: none.
    init(_ picture: SpectrogramPicture, _ sizes: PrintSizes, lanes: Int) {
        let hasTitle = picture.panels.contains { !$0.title.isEmpty }
        let hasSubtitle = picture.panels.contains { $0.subtitle != nil }
        head =
            (hasTitle ? sizes.pixels(12) + sizes.pixels(10) : 0)
            + (hasSubtitle ? sizes.pixels(9) + sizes.pixels(10) : 0)
        timeTicks = sizes.tick + sizes.gap + sizes.pixels(11)
        foot = timeTicks + (lanes > 0 ? sizes.gap + lanes * sizes.laneHeight : 0)
        timeName = sizes.pixels(9) + sizes.pixels(11)
        space = sizes.pixels(12)
        hasStrip = picture.panels.contains { $0.envelope != nil }
        minimumStrip = sizes.pixels(36)
    }

    /// The strip of the waveform with the distance below it, in a panel of this height; 0: none.
    func strip(_ cell: Int) -> Int { hasStrip ? max(cell / 5, minimumStrip) : 0 }
}
