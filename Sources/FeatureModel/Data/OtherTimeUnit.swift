/// The unit that times beyond the end of a recording seem to be in.
public enum OtherTimeUnit: String, Sendable {
    case milliseconds = "ms"
    case samples
    /// The times would lie in the recording in both.
    case either = "ms or samples"

    /// Times beyond this many lengths of the recording are not seconds.
    private static let farRatio = 5.0

    /// The unit of a segment that does not lie in its recording as seconds; nil: they may be seconds, or fit in no unit.
    ///
    /// - Parameters:
    ///   - length: That of the recording in seconds.
    ///   - rate: Its sample rate in Hz.
    package init?(of segment: Segment, length: Double, rate: Int) {
        let last = segment.end ?? segment.start
        guard length > 0, length.isFinite, last > Self.farRatio * length else { return nil }
        func fits(_ perSecond: Double) -> Bool { last / perSecond <= length + Segment.lengthTolerance }
        let isWhole = segment.start == segment.start.rounded() && last == last.rounded()
        if segment.isLengthAlone {
            // A length that is that of the recording is sure.
            func isAll(_ perSecond: Double) -> Bool {
                abs(last / perSecond - length) <= Segment.lengthTolerance
            }
            if isAll(1000) {
                self = .milliseconds
                return
            }
            if isWhole, isAll(Double(rate)) {
                self = .samples
                return
            }
        }
        switch (fits(1000), isWhole && fits(Double(rate))) {
        case (true, true): self = .either
        case (true, false): self = .milliseconds
        case (false, true): self = .samples
        case (false, false): return nil
        }
    }
}
