/// A part of a recording, in seconds from its beginning.
public struct Segment: Hashable, Sendable {
    /// Where it begins; 0 or more.
    public let start: Double
    /// Where it ends, past `start`; nil: at the end of the recording.
    public let end: Double?

    /// Keeps the times; nil where they are not finite, `start` is negative, or `end` does not lie past `start`.
    public init?(start: Double, end: Double?) {
        guard start.isFinite, start >= 0 else { return nil }
        if let end, !(end.isFinite && end > start) { return nil }
        self.start = start
        self.end = end
    }
}
