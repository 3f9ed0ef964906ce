/// A marked part of a recording.
public struct Annotation: Hashable, Sendable {
    /// Its start in seconds.
    public let start: Double
    /// Its end in seconds, `start` or later.
    public let end: Double
    /// The lower edge in Hz; nil: not given.
    public let low: Double?
    /// The upper edge in Hz; nil: not given.
    public let high: Double?
    /// Its label; empty: none.
    public let label: String

    /// Nil where the times are not finite or `end` lies before `start`. An edge that is negative or not finite counts as not
    /// given; edges in the wrong order are swapped.
    public init?(start: Double, end: Double, low: Double? = nil, high: Double? = nil, label: String = "") {
        guard start.isFinite, end.isFinite, end >= start else { return nil }
        func edge(_ hertz: Double?) -> Double? { hertz.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }
        var (low, high) = (edge(low), edge(high))
        if let bottom = low, let top = high, bottom > top { (low, high) = (top, bottom) }
        self.start = start
        self.end = end
        self.low = low
        self.high = high
        self.label = label
    }

    /// The same some seconds later.
    public func shifted(by seconds: Double) -> Annotation {
        Annotation(start: start + seconds, end: end + seconds, low: low, high: high, label: label) ?? self
    }
}
