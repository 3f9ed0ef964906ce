/// The horizontal axis: the seconds that the frames of a picture span, each frame half a period to either side.
struct TimeAxis: Sendable {
    /// Seconds at the left and the right edge.
    let range: ClosedRange<Double>

    /// The axis of `frames` (1 or more) that are `framePeriod` seconds apart, the first one's centre at `firstFrameTime`.
    init(frames: Int, framePeriod: Double, firstFrameTime: Double) {
        let left = firstFrameTime - framePeriod / 2
        range = left...left + Double(frames) * framePeriod
    }

    /// Whether ticks read minutes:seconds; so from 2 minutes on.
    var isLong: Bool { range.upperBound - range.lowerBound >= 120 }

    /// What is printed below the axis.
    var label: String { isLong ? "Time (min:s)" : "Time (s)" }

    /// Ticks at round times, in at most `count` intervals.
    func ticks(atMost count: Int) -> [AxisTick] {
        isLong ? minuteTicks(atMost: count) : RoundSteps(range, atMost: count).ticks(over: range)
    }

    private func minuteTicks(atMost count: Int) -> [AxisTick] {
        let span = range.upperBound - range.lowerBound
        let step = Self.step(atLeast: span / Double(max(count, 2)))
        let first = Int((range.lowerBound / Double(step)).rounded(.up))
        let last = Int((range.upperBound / Double(step)).rounded(.down))
        guard first <= last else { return [] }
        return (first...last).map { multiple in
            let seconds = multiple * step
            return AxisTick(
                position: (Double(seconds) - range.lowerBound) / span, label: Self.minutesAndSeconds(seconds))
        }
    }

    /// The least of the usual steps of a clock that is not below `seconds`; whole seconds.
    private static func step(atLeast seconds: Double) -> Int {
        let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]
        if let step = steps.first(where: { Double($0) >= seconds }) { return step }
        var hours = 1
        while Double(hours) * 3600 < seconds { hours *= 2 }
        return hours * 3600
    }

    /// Whole seconds as minutes:seconds, "−0:05", "75:00".
    static func minutesAndSeconds(_ seconds: Int) -> String {
        let rest = seconds.magnitude % 60
        return "\(seconds < 0 ? "\u{2212}" : "")\(seconds.magnitude / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
