import Presentation

package enum TimeDisplay: String, CaseIterable, Sendable {
    /// Clock time if the start of the recording is known; otherwise seconds, min:s from 2 minutes on, h:min from 2 hours on.
    case automatic = "auto"
    case seconds = "s"
    case minutes = "min"
    case clock
}

/// The horizontal axis: the seconds that the frames of a picture span, each frame half a period to either side.
struct TimeAxis: Sendable {
    /// Seconds at the left and the right edge.
    let range: ClosedRange<Double>
    private let style: Style
    /// The clock's seconds since midnight at 0 s of the axis.
    private let clockShift: Double
    private let day: CalendarDay?
    private let zone: ClockZone?

    enum Style: Sendable {
        /// `1.5`
        case seconds
        /// `75:00`
        case minutes
        /// `26:30`, hours and minutes
        case hours
        /// `05:30` or `05:30:12`
        case clock
    }

    /// An axis from the left to the right edge, in seconds, the right one after the left.
    ///
    /// - Parameter startTime: The time of day at `offset` seconds before 0; nil: unknown, and the clock starts at midnight.
    init(
        _ range: ClosedRange<Double>, display: TimeDisplay = .automatic, startTime: ClockTime? = nil, offset: Double = 0
    ) {
        self.range = range
        day = startTime?.day
        zone = startTime?.zone
        clockShift = (startTime?.seconds ?? 0) + offset
        let span = range.upperBound - range.lowerBound
        switch display {
        case .automatic where startTime != nil: style = .clock
        case .automatic: style = span < 120 ? .seconds : span < 7200 ? .minutes : .hours
        case .seconds: style = .seconds
        case .minutes: style = .minutes
        case .clock: style = .clock
        }
    }

    var label: String {
        switch style {
        case .seconds: "Time (s)"
        case .minutes: "Time (min:s)"
        case .hours: "Time (h:min)"
        case .clock: "Clock time" + (zone.map { " (\($0.text))" } ?? "") + (day.map { ", from \($0.text)" } ?? "")
        }
    }

    /// Ticks at round times, in at most `count` intervals.
    func ticks(atMost count: Int) -> [AxisTick] {
        guard style != .seconds else { return RoundSteps(range, atMost: count).ticks(over: range) }
        let span = range.upperBound - range.lowerBound
        let shift = style == .clock ? clockShift : 0
        let step = ClockStep(atLeast: span / Double(max(count, 2)), isWhole: style == .hours)
        let slack = 1e-9 * span
        guard let first = Int(exactly: ((range.lowerBound + shift - slack) / step.seconds).rounded(.up)),
            let last = Int(exactly: ((range.upperBound + shift + slack) / step.seconds).rounded(.down)), first <= last
        else { return [] }
        var shown = 0
        return (first...last).map { multiple in
            let time = step.time(multiple)
            let position = (Double(multiple) * step.seconds - shift - range.lowerBound) / span
            var label = text(time, of: step)
            if style == .clock, time.days > 0, time.days != shown {
                shown = time.days
                label = day.map { "\($0.advanced(by: shown).text) " + label } ?? "\(label) +\(shown) d"
            }
            return AxisTick(position: min(max(position, 0), 1), label: label)
        }
    }

    private func text(_ time: ClockStep.Time, of step: ClockStep) -> String {
        let sign = time.isNegative ? "\u{2212}" : ""
        switch style {
        case .seconds, .minutes:
            return "\(sign)\(time.days * 1440 + time.minutes):\(time.seconds.padded(to: 2))\(time.fraction)"
        case .hours: return "\(sign)\(time.days * 24 + time.minutes / 60):\((time.minutes % 60).padded(to: 2))"
        case .clock:
            let clock = "\(sign)\((time.minutes / 60).padded(to: 2)):\((time.minutes % 60).padded(to: 2))"
            return step.isOfMinutes ? clock : clock + ":\(time.seconds.padded(to: 2))\(time.fraction)"
        }
    }
}
