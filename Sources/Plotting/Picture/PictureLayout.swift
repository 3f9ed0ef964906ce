/// Where the parts of a picture stand, and the ticks of its axes.
struct PictureLayout: Sendable {
    /// Sizes of print and lines.
    let sizes: PrintSizes
    /// The values that the colours span.
    let values: ValueScale
    /// The pixels of the spectrogram itself.
    let body: PixelRectangle
    /// The pixels of the colour bar itself.
    let bar: PixelRectangle
    /// The vertical axis.
    let bins: BinScale
    /// The ticks of the colour bar.
    let valueTicks: [AxisTick]
    /// What is printed below the horizontal axis.
    let timeLabel: String
    /// The ticks of the horizontal axis.
    let timeTicks: [AxisTick]

    /// Lays a picture out from the outside in: the heights first, then the vertical axes, whose numbers' widths decide
    /// the columns, then the horizontal axis.
    init(_ picture: SpectrogramPicture, measuring canvas: Canvas) {
        let sizes = PrintSizes(width: picture.width, height: picture.height)
        let values = picture.range.map(ValueScale.init(_:)) ?? ValueScale(suiting: picture.matrix.values)
        func widest(_ ticks: [AxisTick]) -> Int {
            Int((ticks.map { canvas.width(of: $0.label, style: sizes.number) }.max() ?? 0).rounded(.up))
        }

        let top = sizes.margin + Self.headHeight(picture, sizes)
        let foot = sizes.tick + sizes.gap + sizes.pixels(11) + sizes.pixels(9) + sizes.pixels(11) + sizes.margin
        let height = picture.height - top - foot
        let spacing = 2.2 * sizes.number.size / Double(height)

        let bins = BinScale(picture.axis, bins: picture.matrix.bins, spacing: spacing)
        let valueTicks = Self.valueTicks(values.range, spacing: spacing)

        let name = sizes.pixels(12) + sizes.pixels(8)
        let left = sizes.margin + name + widest(bins.ticks) + sizes.gap + sizes.tick + sizes.line
        let right = sizes.bar + sizes.tick + sizes.gap + widest(valueTicks) + name + sizes.margin
        let width = max(picture.width - left - sizes.bar - right, 16)

        self.sizes = sizes
        self.values = values
        self.bins = bins
        self.valueTicks = valueTicks
        body = PixelRectangle(x: left, y: top, width: width, height: height)
        bar = PixelRectangle(x: left + width + sizes.bar, y: top, width: sizes.bar, height: height)

        guard picture.matrix.rows > 0 else {
            timeLabel = "Time (s)"
            timeTicks = []
            return
        }
        let time = TimeAxis(
            frames: picture.matrix.rows, framePeriod: picture.framePeriod, firstFrameTime: picture.firstFrameTime)
        timeLabel = time.label
        // The finest ticks whose numbers stand well apart.
        let counts = stride(from: max(width / sizes.pixels(56), 2), through: 2, by: -1)
        let candidates = counts.lazy.map { time.ticks(atMost: $0) }
        timeTicks =
            candidates.first { ticks in
                let distance = ticks.count > 1 ? (ticks[1].position - ticks[0].position) * Double(width) : .infinity
                return distance >= Double(widest(ticks)) + 1.5 * sizes.number.size
            } ?? time.ticks(atMost: 2)
    }

    /// Ticks of the colour bar: two or more, since one number alone does not tell what a colour means.
    private static func valueTicks(_ range: ClosedRange<Double>, spacing: Double) -> [AxisTick] {
        let ticks = RoundSteps(range, atMost: Int(1 / spacing)).ticks(over: range)
        return ticks.count > 1 ? ticks : RoundSteps(range, atMost: Int(1.7 / spacing)).ticks(over: range)
    }

    /// Pixels from the top margin to the spectrogram.
    private static func headHeight(_ picture: SpectrogramPicture, _ sizes: PrintSizes) -> Int {
        let title = picture.title.isEmpty ? 0 : sizes.pixels(12) + sizes.pixels(10)
        let subtitle = picture.subtitle == nil ? 0 : sizes.pixels(9) + sizes.pixels(10)
        return title + subtitle
    }
}
