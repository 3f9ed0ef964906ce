import FeatureModel
import Presentation

/// A panel with two axes of numbers.
struct CurvePanelLayout: Sendable {
    let body: PixelRectangle
    /// The values at the lower and the upper end of the vertical axis.
    let values: ClosedRange<Double>
    let valueTicks: [AxisTick]
    let ticks: [AxisTick]
    /// Numbers above the panel; empty: none.
    let upperTicks: [AxisTick]
    let name: String
    /// The baseline of the title.
    let titleBaseline: Int

    /// The row of a value, from the top of the picture.
    func y(_ value: Double) -> Double {
        let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return Double(body.y) + (1 - share) * Double(body.height)
    }

    /// The column of a position on the horizontal axis, 0 … 1.
    func x(_ position: Double) -> Double { Double(body.x) + position * Double(body.width) }
}

struct FilterBankLayout: Sendable {
    let sizes: PrintSizes
    /// Nil: samples are not transformed.
    let bank: CurvePanelLayout?
    /// The horizontal axis of the bank; nil: there is none.
    let scale: BinScale?
    let window: CurvePanelLayout
    /// Milliseconds at the right edge of the window's panel.
    let windowEnd: Double

    /// The share of a panel's height above its greatest value, where edges are named.
    private static let headroom = 0.14
    private static let windowHeadroom = 0.26
    /// The share of the height that the bank has.
    private static let bankShare = 0.62

    /// - Throws: `PlotError` where the picture has no room for its panels, or no frequency is in the band.
    init(_ picture: FilterBankPicture, measuring canvas: Canvas) throws(PlotError) {
        let sizes = PrintSizes(picture.style)
        self.sizes = sizes
        func widest(_ ticks: [AxisTick]) -> Int {
            Int((ticks.map { canvas.width(of: $0.label, style: sizes.number) }.max() ?? 0).rounded(.up))
        }
        let top = sizes.margin + sizes.pixels(40)
        let foot = sizes.tick + sizes.gap + sizes.pixels(11) + sizes.pixels(20)
        let (bankHead, windowHead) = (sizes.pixels(42), sizes.pixels(26))
        let fixed = windowHead + foot + (picture.bank == nil ? 0 : bankHead + foot + sizes.pixels(10))
        let room = picture.style.rows - top - sizes.margin - fixed
        let bankHeight = picture.bank == nil ? 0 : Int(Double(room) * Self.bankShare)
        let windowHeight = room - bankHeight
        guard min(windowHeight, picture.bank == nil ? .max : bankHeight) >= sizes.pixels(40) else {
            throw .invalidSetting(
                name: "height", found: "\(picture.style.height) pixels",
                expected: "more for a filter bank and a window in print of \(picture.style.fontSize) pixels")
        }
        func ticks(_ range: ClosedRange<Double>, height: Int) -> [AxisTick] {
            let count = max(Int(Double(height) / (2.6 * sizes.number.size)), 2)
            return RoundSteps(range, atMost: count).ticks(over: range)
        }
        let windowRange = Self.range(picture.window.values, headroom: Self.windowHeadroom)
        let windowTicks = ticks(windowRange, height: windowHeight)
        let bankRange = Self.range(picture.bank?.curves.flatMap(\.weights) ?? [])
        let bankTicks = ticks(bankRange, height: max(bankHeight, 1))
        let left =
            sizes.margin + sizes.pixels(20) + max(widest(windowTicks), widest(bankTicks)) + sizes.gap + sizes.tick
            + sizes.line
        let width = picture.style.columns - left - sizes.margin - sizes.pixels(8)
        guard width >= sizes.pixels(120) else {
            throw .invalidSetting(
                name: "width", found: "\(picture.style.width) pixels",
                expected: "more for a filter bank in print of \(picture.style.fontSize) pixels")
        }
        var y = top
        if let bank = picture.bank {
            let scale = try BinScale(
                .frequencies(bank.bins), bins: bank.bins.count, display: picture.frequencies, band: picture.band,
                spacing: Double(sizes.pixels(58)) / Double(width))
            self.scale = scale
            self.bank = CurvePanelLayout(
                body: PixelRectangle(x: left, y: y + bankHead, width: width, height: bankHeight), values: bankRange,
                valueTicks: bankTicks, ticks: scale.ticks,
                upperTicks: Self.numbers(bank.curves, scale, spacing: Double(sizes.pixels(30)) / Double(width)),
                name: scale.labels.first ?? "", titleBaseline: y + sizes.pixels(13))
            y += bankHead + bankHeight + foot + sizes.pixels(10)
        } else {
            (bank, scale) = (nil, nil)
        }
        let milliseconds = Double(max(picture.window.values.count, 1)) / picture.window.sampleRate * 1000
        windowEnd = milliseconds
        window = CurvePanelLayout(
            body: PixelRectangle(x: left, y: y + windowHead, width: width, height: windowHeight), values: windowRange,
            valueTicks: windowTicks,
            ticks: RoundSteps(0...milliseconds, atMost: max(width / sizes.pixels(58), 2)).ticks(over: 0...milliseconds),
            upperTicks: [], name: "Time (ms)", titleBaseline: y + sizes.pixels(13))
    }

    /// The column of a frequency in Hz, the nearest edge for one outside.
    func x(hertz: Double) -> Double {
        guard let bank, let scale else { return 0 }
        return bank.x(scale.position(clamping: hertz) ?? 0)
    }

    /// The column of a time in ms.
    func x(milliseconds: Double) -> Double { window.x(milliseconds / windowEnd) }

    /// 0 and all values, with room above.
    private static func range(_ values: [Double], headroom: Double = headroom) -> ClosedRange<Double> {
        let (low, high) = (min(values.min() ?? 0, 0), max(values.max() ?? 0, 0))
        guard high > low, high.isFinite, low.isFinite else { return 0...1 }
        return low...high + headroom * (high - low)
    }

    /// Numbers of curves at their frequencies: multiples of one step that do not touch.
    private static func numbers(_ curves: [SpectrumBand], _ scale: BinScale, spacing: Double) -> [AxisTick] {
        guard let range = scale.range else { return [] }
        let shown = curves.enumerated().filter { range.contains($1.center) }.map { (number: $0, hertz: $1.center) }
        // Half as many as there is room for, since bands are crowded at one end.
        let step = Int(
            RoundNumber(stepAtLeast: max(Double(shown.count) * spacing * 1.6, 1)).value.rounded())
        var ticks: [AxisTick] = []
        for curve in shown.sorted(by: { $0.hertz < $1.hertz }) where curve.number % max(step, 1) == 0 {
            guard let position = scale.position(clamping: curve.hertz) else { continue }
            if let last = ticks.last, position - last.position < spacing { continue }
            ticks.append(AxisTick(position: position, label: "\(curve.number)"))
        }
        return ticks
    }
}
