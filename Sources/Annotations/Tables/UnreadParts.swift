/// Where recordings are annotated, and what is said there is not known: their tables or rows are not read.
///
/// A window there is no example of a recording without calls.
package struct UnreadParts: Sendable {
    /// Clips of the source of whose recordings any part may be annotated.
    private(set) var whole: Set<Int> = []
    private(set) var times: [Int: [AnnotationTimes]] = [:]

    /// - Parameter times: Nil: anywhere in the recordings.
    mutating func add(_ clips: some Sequence<Int>, at times: AnnotationTimes? = nil) {
        guard let times else { return whole.formUnion(clips) }
        for clip in clips { self.times[clip, default: []].append(times) }
    }

    mutating func merge(_ other: UnreadParts) {
        whole.formUnion(other.whole)
        times.merge(other.times) { $0 + $1 }
    }
}
