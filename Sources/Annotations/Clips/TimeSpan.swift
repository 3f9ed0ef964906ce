/// A part of a recording in nanoseconds from its start. Integers make sums of steps exact.
package struct TimeSpan: Hashable, Sendable {
    package let start, end: Int

    /// - Precondition: `end` is `start` or later.
    package init(start: Int, end: Int) {
        precondition(end >= start, "a part ends after it starts")
        (self.start, self.end) = (start, end)
    }

    package var length: Int { end - start }

    /// Length of the common part; 0: there is none.
    package func overlap(with other: TimeSpan) -> Int { max(min(end, other.end) - max(start, other.start), 0) }
}

/// Conversion of times. A nanosecond is far less than a sample.
package enum Nanoseconds {
    /// Rounded, and bounded far past any recording.
    package static func of(_ seconds: Double) -> Int { Int(min(max((seconds * 1e9).rounded(), -0x1p60), 0x1p60)) }

    /// In seconds; a number with at most nine decimals.
    package static func seconds(_ nanoseconds: Int) -> Double { Double(nanoseconds) / 1e9 }
}

/// An annotation for the making of clips.
package struct Mark: Sendable {
    package let span: TimeSpan
    /// Empty: none.
    package let label: String

    package init(span: TimeSpan, label: String) { (self.span, self.label) = (span, label) }
}

/// Where an annotation lies in its recording.
package enum MarkPosition: Equatable, Sendable {
    /// Inside; `isCut` where the part after the recording's end was cut off.
    case inside(TimeSpan, isCut: Bool)
    case startsBefore
    case startsLate
    /// More of it lies after the recording's end than may be cut off.
    case endsLate

    /// By how much an annotation may end late without being cut off: times are rounded.
    private static let tolerance = 1_000_000
    /// The part of an annotation that has to lie in its recording: a quarter.
    private static let minimumPart = 4

    /// - Parameters:
    ///   - start: Start in nanoseconds.
    ///   - end: End, `start` or later.
    ///   - length: Length of the recording.
    ///   - isPadded: Whether any part may lie after the end, as of windows that a detector padded.
    package init(start: Int, end: Int, length: Int, isPadded: Bool = false) {
        if start < 0 {
            self = .startsBefore
        } else if start >= length, !(start == end && start <= length + Self.tolerance) {
            self = .startsLate
        } else if end <= length + Self.tolerance {
            self = .inside(TimeSpan(start: min(start, length), end: min(end, length)), isCut: false)
        } else if isPadded || (end - start) / Self.minimumPart <= length - start {
            self = .inside(TimeSpan(start: start, end: length), isCut: true)
        } else {
            self = .endsLate
        }
    }
}
