import FeatureModel
import Presentation

struct FilterBankDrawing {
    let picture: FilterBankPicture
    let layout: FilterBankLayout
    let canvas: Canvas

    private var sizes: PrintSizes { layout.sizes }
    private var theme: Theme { sizes.theme }
    private var thickness: Double { 1.2 * sizes.factor }

    /// Pixels between bins from which on each is marked by a dot.
    private static let dotSpacing = 7.0

    func draw() {
        let left = Double(layout.window.body.x)
        let limit = Double(layout.window.body.width)
        canvas.draw(
            picture.title, x: left, y: Double(sizes.margin + sizes.pixels(12)), style: sizes.title, anchor: .start,
            limit: limit)
        canvas.draw(
            picture.subtitle, x: left, y: Double(sizes.margin + sizes.pixels(32)), style: sizes.subtitle,
            anchor: .start, limit: limit, losing: .end)
        if let bank = picture.bank, let panel = layout.bank {
            drawCurves(bank, panel)
            drawEdges(bank, panel)
            drawAxes(panel, title: bank.title, values: "Weight", upperName: bank.numbering)
        }
        drawWindow()
        drawAxes(layout.window, title: picture.window.title, values: "Factor", upperName: "")
    }

    /// The colour of a curve: by its number, from the table, without the end that paper hides.
    func color(ofCurve number: Int, of count: Int) -> RGB {
        let share = Float(number) / Float(max(count - 1, 1))
        let isDarkFirst = picture.style.colors != .greyInverted
        let isLowEnd = (theme == .light) == isDarkFirst
        return picture.style.colors.color(isLowEnd ? 0.8 * share : 0.25 + 0.75 * share)
    }

    private func drawCurves(_ bank: BankPanel, _ panel: CurvePanelLayout) {
        guard let range = layout.scale?.range else { return }
        let hasDots = spread(bank, range) >= Self.dotSpacing
        for (number, curve) in bank.curves.enumerated() where !curve.weights.isEmpty {
            let color = color(ofCurve: number, of: bank.curves.count)
            if bank.isPlain {
                drawStem(hertz: curve.center, range, panel, color)
                continue
            }
            let points = Self.clipped(Self.points(curve, bank.bins), to: range)
            canvas.stroke(
                points.map { (x: layout.x(hertz: $0.hertz), y: panel.y($0.weight)) }, width: thickness, color: color)
            guard hasDots else { continue }
            let side = sizes.pixels(4)
            canvas.fill(
                curve.weights.enumerated().compactMap { offset, weight in
                    let hertz = Double(bank.bins[curve.firstBin + offset])
                    guard range.contains(hertz) else { return nil }
                    return PixelRectangle(
                        x: Int(layout.x(hertz: hertz)) - side / 2, y: Int(panel.y(weight)) - side / 2, width: side,
                        height: side)
                }, with: color)
        }
    }

    /// Pixels between two bins in the middle of what is shown.
    private func spread(_ bank: BankPanel, _ range: ClosedRange<Double>) -> Double {
        guard bank.bins.count > 1 else { return .infinity }
        let middle = (range.lowerBound + range.upperBound) / 2
        return layout.x(hertz: middle + Double(bank.bins[1] - bank.bins[0])) - layout.x(hertz: middle)
    }

    private func drawStem(
        hertz: Double, _ range: ClosedRange<Double>, _ panel: CurvePanelLayout, _ color: RGB
    ) {
        guard range.contains(hertz) else { return }
        let (x, y) = (min(Int(layout.x(hertz: hertz)), panel.body.right - sizes.line), Int(panel.y(1)))
        canvas.fill(PixelRectangle(x: x, y: y, width: sizes.line, height: panel.body.bottom - y), with: color)
    }

    /// The weights over frequency, with a zero on either side.
    static func points(_ curve: SpectrumBand, _ bins: [Float]) -> [(hertz: Double, weight: Double)] {
        let last = curve.firstBin + curve.weights.count
        var points = curve.weights.enumerated().compactMap { offset, weight in
            bins.indices.contains(curve.firstBin + offset)
                ? (hertz: Double(bins[curve.firstBin + offset]), weight: weight) : nil
        }
        if bins.indices.contains(curve.firstBin - 1) {
            points.insert((Double(bins[curve.firstBin - 1]), 0), at: 0)
        }
        if bins.indices.contains(last) { points.append((Double(bins[last]), 0)) }
        return points
    }

    /// The part of a line within a range of frequencies.
    private static func clipped(
        _ points: [(hertz: Double, weight: Double)], to range: ClosedRange<Double>
    ) -> [(hertz: Double, weight: Double)] {
        var part: [(hertz: Double, weight: Double)] = []
        for (start, end) in zip(points, points.dropFirst())
        where end.hertz >= range.lowerBound && start.hertz <= range.upperBound && end.hertz > start.hertz {
            func point(at hertz: Double) -> (hertz: Double, weight: Double) {
                let share = (hertz - start.hertz) / (end.hertz - start.hertz)
                return (hertz, start.weight + share * (end.weight - start.weight))
            }
            if part.isEmpty { part.append(point(at: max(start.hertz, range.lowerBound))) }
            part.append(point(at: min(end.hertz, range.upperBound)))
        }
        return part.isEmpty ? points.filter { range.contains($0.hertz) } : part
    }

    /// The outer edges with their names, above the curves; names that would touch are left out.
    private func drawEdges(_ bank: BankPanel, _ panel: CurvePanelLayout) {
        guard let range = layout.scale?.range else { return }
        var end = -Double.infinity
        let baseline = Double(panel.body.y + sizes.gap) + canvas.digitHeight(sizes.number)
        for (index, hertz) in bank.edges.enumerated() where range.contains(hertz) {
            let x = layout.x(hertz: hertz).rounded() + 0.5
            canvas.stroke(
                [(x: x, y: Double(panel.body.y)), (x: x, y: Double(panel.body.bottom))], width: Double(sizes.line),
                color: theme.faint, dash: Double(sizes.pixels(4)))
            let text = "\(Wording.thousandths(hertz)) Hz"
            let width = canvas.width(of: text, style: sizes.number) + Double(sizes.gap)
            // The lower edge is named at its right, the upper one at its left, where the curves are.
            let isRight = index == 0
            let left = isRight ? x : x - width
            guard left >= Double(panel.body.x) - 1, left + width <= Double(panel.body.right) + 1, left > end else {
                continue
            }
            end = left + width + Double(sizes.gap)
            canvas.draw(
                text, x: isRight ? x + Double(sizes.gap) : x - Double(sizes.gap), y: baseline.rounded(),
                style: sizes.number, anchor: isRight ? .start : .end)
        }
    }

    private func drawWindow() {
        let (panel, window) = (layout.window, picture.window)
        let period = 1000 / window.sampleRate
        let color = theme.wave
        let hop = Double(window.hop) * period
        if hop < layout.windowEnd {
            let x = layout.x(milliseconds: hop).rounded() + 0.5
            canvas.stroke(
                [(x: x, y: Double(panel.body.y)), (x: x, y: Double(panel.body.bottom))], width: Double(sizes.line),
                color: theme.faint, dash: Double(sizes.pixels(4)))
            let text = "next frame"
            let baseline = Double(panel.body.y + sizes.gap) + canvas.digitHeight(sizes.number)
            let fits =
                x + Double(2 * sizes.gap) + canvas.width(of: text, style: sizes.number) <= Double(panel.body.right)
            canvas.draw(
                text, x: x + Double(fits ? sizes.gap : -sizes.gap), y: baseline.rounded(), style: sizes.number,
                anchor: fits ? .start : .end)
        }
        let points = window.values.enumerated().map { index, value in
            (x: layout.x(milliseconds: Double(index) * period), y: panel.y(value))
        }
        canvas.stroke(points, width: 1.5 * thickness, color: color)
        guard Double(panel.body.width) / Double(max(window.values.count, 1)) >= Self.dotSpacing else { return }
        let side = sizes.pixels(4)
        canvas.fill(
            points.map { PixelRectangle(x: Int($0.x) - side / 2, y: Int($0.y) - side / 2, width: side, height: side) },
            with: color)
    }

    private func drawAxes(_ panel: CurvePanelLayout, title: String, values: String, upperName: String) {
        let body = panel.body
        canvas.frame(body, thickness: sizes.line, with: theme.ink)
        canvas.drawTicks(panel.valueTicks, beside: body, atRight: false, sizes: sizes)
        canvas.draw(
            values, x: Double(sizes.margin + sizes.pixels(11)), y: body.middle.y.rounded(), style: sizes.name,
            anchor: .middle, isUpward: true, limit: Double(body.height + sizes.margin))
        canvas.draw(
            title, x: Double(body.x), y: Double(panel.titleBaseline), style: sizes.panelTitle, anchor: .start,
            limit: Double(body.width))
        let digits = canvas.digitHeight(sizes.number)
        func column(_ tick: AxisTick) -> Int { min(Int(panel.x(tick.position)), body.right - sizes.line) }
        let tickTop = body.bottom + sizes.line
        let baseline = (Double(tickTop + sizes.tick + sizes.gap) + digits).rounded()
        canvas.drawTicks(panel.ticks, top: tickTop, baseline: baseline, sizes: sizes, column: column)
        canvas.draw(
            panel.name, x: body.middle.x, y: baseline + Double(sizes.pixels(18)), style: sizes.name, anchor: .middle)
        guard !panel.upperTicks.isEmpty else { return }
        let markTop = body.y - sizes.line - sizes.tick
        let upperBaseline = Double(markTop - sizes.gap)
        canvas.drawTicks(panel.upperTicks, top: markTop, baseline: upperBaseline, sizes: sizes, column: column)
        canvas.draw(
            upperName, x: Double(body.x - sizes.tick - sizes.gap - sizes.pixels(6)), y: upperBaseline,
            style: sizes.number, anchor: .end)
    }
}
