import Platform
import Presentation

/// The axes of a chart: positions of values, lines at round numbers, names.
struct ChartFrame: Sendable {
    static let width = 480.0
    static let height = 240.0
    /// The height with two rows of numbers below the horizontal axis.
    static let tallHeight = 252.0

    /// The values at the edges.
    let horizontal: ClosedRange<Double>
    let vertical: ClosedRange<Double>
    /// Whether equal factors have equal widths.
    var isLogarithmic = false

    /// The edges of the area that data is drawn in.
    let left = 58.0
    let right = 460.0
    let top = 10.0
    let bottom = 196.0

    func x(_ value: Double) -> Double {
        let share =
            isLogarithmic
            ? log2(value / horizontal.lowerBound) / log2(horizontal.upperBound / horizontal.lowerBound)
            : (value - horizontal.lowerBound) / (horizontal.upperBound - horizontal.lowerBound)
        return left + share * (right - left)
    }

    func y(_ value: Double) -> Double {
        let share = (value - vertical.lowerBound) / (vertical.upperBound - vertical.lowerBound)
        return bottom - share * (bottom - top)
    }

    var verticalTicks: [AxisTick] { RoundSteps(vertical, atMost: 5).ticks(over: vertical) }

    /// The round numbers of the horizontal axis: of a logarithmic one 1, 2 and 5 times the powers of ten, or the powers alone
    /// over more than 3.6 decades.
    var horizontalTicks: [AxisTick] {
        guard isLogarithmic else { return RoundSteps(horizontal, atMost: 8).ticks(over: horizontal) }
        let digits = horizontal.upperBound <= horizontal.lowerBound * 3981 ? [1, 2, 5] : [1]
        return RoundNumber.decades(digits, in: horizontal).map { number in
            AxisTick(position: (x(number.value) - left) / (right - left), label: Wording.exact(number.value))
        }
    }

    /// - Parameter below: A second number for each tick of the horizontal axis; nil: none.
    func draw(
        on drawing: inout SVGDrawing, horizontalName: String, verticalName: String, ticks: [AxisTick]? = nil,
        below: [String]? = nil
    ) {
        for tick in verticalTicks {
            let height = bottom - tick.position * (bottom - top)
            drawing.line(from: (left, height), to: (right, height), style: "grid")
            drawing.text(tick.label, x: left - 6, y: height + 4, anchor: .end)
        }
        drawing.line(from: (left, bottom), to: (right, bottom), style: "axis")
        for (index, tick) in (ticks ?? horizontalTicks).enumerated() {
            let across = left + tick.position * (right - left)
            drawing.line(from: (across, bottom), to: (across, bottom + 4), style: "axis")
            drawing.text(tick.label, x: across, y: bottom + 17, anchor: .middle)
            // Every second one is hidden if letters are larger.
            let style = index % 2 == 0 ? "t small" : "t small other"
            if let below { drawing.text(below[index], x: across, y: bottom + 30, anchor: .middle, style: style) }
        }
        let foot = below == nil ? Self.height : Self.tallHeight
        drawing.text(horizontalName, x: (left + right) / 2, y: foot - 7, anchor: .middle, style: "t name")
        drawing.text(verticalName, x: 13, y: (top + bottom) / 2, anchor: .middle, style: "t name", isUpward: true)
    }
}
