/// How the horizontal axis tells the time.
package enum TimeDisplay: String, CaseIterable, Sendable {
    /// Clock time where it is known when the recording began; else seconds, min:s from 2 minutes on, h:min from 2 hours on.
    case automatic = "auto"
    /// Seconds.
    case seconds = "s"
    /// Minutes and seconds.
    case minutes = "min"
    /// Hours, minutes and seconds of the day.
    case clock
}
