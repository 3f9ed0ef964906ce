/// A part of a recording, in seconds from its start.
public struct Segment: Hashable, Sendable {
    /// Its start; 0 or more.
    public let start: Double
    /// Its end, past `start`; nil: the end of the recording.
    public let end: Double?
    /// Whether a length was given without a start: it is that of the whole recording, rounded, or else the part from 0.
    package let isLengthAlone: Bool
    /// By how much `end` may lie after the end of the recording, in seconds, as the manifest says; nil: it does not say.
    package let overshoot: Double?

    /// Nil where the times are not finite, `start` is negative, or `end` does not lie past `start`.
    public init?(start: Double, end: Double?) { self.init(start: start, end: end, overshoot: nil) }

    /// The same with a tolerance of `end` in seconds.
    package init?(start: Double, end: Double?, overshoot: Double?) {
        self.init(start: start, end: end, isLengthAlone: false, overshoot: overshoot)
    }

    /// A length in seconds without a start; nil where it is not finite or not more than 0.
    package init?(length: Double, overshoot: Double? = nil) {
        self.init(start: 0, end: length, isLengthAlone: true, overshoot: overshoot)
    }

    private init?(start: Double, end: Double?, isLengthAlone: Bool, overshoot: Double?) {
        guard start.isFinite, start >= 0 else { return nil }
        if let end, !(end.isFinite && end > start) { return nil }
        (self.start, self.end, self.isLengthAlone, self.overshoot) = (start, end, isLengthAlone, overshoot)
    }
}

extension Segment {
    /// By how much a length without a start may differ from that of a recording, in seconds, and mean all of it.
    package static let lengthTolerance = 0.010

    /// By how much a segment may end after its recording, in seconds, unless more is allowed: times may be rounded to milliseconds.
    package static let endTolerance = 0.001

    /// By how much times that are equal as decimal numbers may differ, in seconds.
    package static let decimalRounding = 1e-9

    /// The part of a recording of this length in seconds; nil: all of it.
    package func part(ofLength length: Double) -> Segment? {
        guard isLengthAlone, let end else { return self }
        return abs(end - length) <= Self.lengthTolerance + Self.decimalRounding ? nil : self
    }

    /// Whether the part lies in a recording.
    ///
    /// - Parameters:
    ///   - length: That of the recording in seconds.
    ///   - rate: Its sample rate in Hz.
    ///   - configured: What the configuration allows at the end, in seconds; nil: it leaves that to the manifest.
    /// - Throws: `ClipFailure.segmentStartsLate` or `segmentEndsLate`.
    package func check(length: Double, rate: Int, configured: Double?) throws(ClipFailure) {
        func likelyUnit() -> OtherTimeUnit? { OtherTimeUnit(of: self, length: length, rate: rate) }
        guard start < length else {
            throw .segmentStartsLate(start: start, length: length, likely: likelyUnit())
        }
        if let end, end > length + endTolerance(configured: configured) {
            throw .segmentEndsLate(end: end, length: length, likely: likelyUnit())
        }
    }

    /// By how much the segment may end after its recording, in seconds.
    ///
    /// - Parameter configured: What the configuration allows; nil: it leaves that to the manifest.
    package func endTolerance(configured: Double?) -> Double {
        max(configured ?? overshoot ?? 0, Self.endTolerance) + Self.decimalRounding
    }

    /// Whether the end of a clip of this duration in seconds was cut off at the end of its recording, by more than rounding explains.
    package func isCut(toLast duration: Double) -> Bool {
        guard let end else { return false }
        return end - start - duration > (isLengthAlone ? Self.lengthTolerance : Self.endTolerance) + 5e-4
    }

    /// Whether a clip of this duration in seconds may be this segment, as far as can be said without its recording: times are
    /// rounded to samples, a length without a start may be that of the recording, and the end may be cut off.
    ///
    /// - Parameters:
    ///   - configured: What the configuration allows at the end; nil: it leaves that to the manifest.
    ///   - isTruncated: Whether the clip ends early, since its recording is cut off.
    ///   - isCut: Whether its end was cut off at that of its recording.
    package func mayLast(_ duration: Double, configured: Double?, isTruncated: Bool = false, isCut: Bool) -> Bool {
        guard let end else { return true }
        let missing = end - start - duration
        let rounding = 2e-3
        let early = isLengthAlone ? Self.lengthTolerance : 0
        let late = isCut ? max(endTolerance(configured: configured), early) : early
        return missing > -(early + rounding) && (isTruncated || missing < late + rounding)
    }
}

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
        // Formats that allow an overshoot have times in seconds.
        guard segment.overshoot == nil else { return nil }
        func fits(_ perSecond: Double) -> Bool { last / perSecond <= length + Segment.lengthTolerance }
        let isWhole = segment.start == segment.start.rounded() && last == last.rounded()
        if segment.isLengthAlone {
            // Only a length that is that of the recording shows its unit: a single wrong one would fit in every other unit.
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
            return nil
        }
        switch (fits(1000), isWhole && fits(Double(rate))) {
        case (true, true): self = .either
        case (true, false): self = .milliseconds
        case (false, true): self = .samples
        case (false, false): return nil
        }
    }
}
