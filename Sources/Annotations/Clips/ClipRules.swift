/// How an annotation becomes a clip.
package struct ClipRules: Sendable {
    /// What happens to clips below the minimum.
    package enum Short: String, CaseIterable, Sendable {
        case widen, drop
    }

    /// What is added at both ends, in nanoseconds.
    package var context = 0
    /// Minimum length in nanoseconds.
    package var minimum = 0
    package var short = Short.widen
    /// Maximum length in nanoseconds; nil: any.
    package var maximum: Int?

    package init() {}

    package enum Outcome: Sendable {
        case clip(TimeSpan, isWidened: Bool)
        case tooShort
        case tooLong
        /// A point, which is not a clip without context or a minimum.
        case empty
        /// It lies outside the part of the recording that the source names.
        case elsewhere
    }

    /// The clip of an annotation, within a part of its recording.
    package func outcome(of mark: TimeSpan, in part: TimeSpan) -> Outcome {
        guard mark.start < part.end, mark.end > part.start || mark.length == 0 && mark.start >= part.start else {
            return mark.length == 0 && mark.start == part.end ? .empty : .elsewhere
        }
        var span = TimeSpan(
            start: max(mark.start - context, part.start), end: min(mark.end + context, part.end))
        var isWidened = false
        if span.length < minimum {
            guard short == .widen else { return .tooShort }
            span = Self.widened(span, to: minimum, in: part)
            isWidened = true
        }
        guard span.length > 0 else { return .empty }
        if let maximum, span.length > maximum { return .tooLong }
        return .clip(span, isWidened: isWidened)
    }

    /// A span of a length around the same middle, moved into the part; all of the part if that is shorter.
    private static func widened(_ span: TimeSpan, to length: Int, in part: TimeSpan) -> TimeSpan {
        guard length < part.length else { return part }
        let start = span.start - (length - span.length) / 2
        let moved = min(max(start, part.start), part.end - length)
        return TimeSpan(start: moved, end: moved + length)
    }
}
