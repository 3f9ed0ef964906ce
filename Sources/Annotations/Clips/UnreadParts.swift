/// Where recordings are annotated, and what is said there is not known: their tables or rows are not read.
///
/// A window there is no example of a recording without calls.
package struct UnreadParts: Sendable {
    /// Clips of the source of whose recordings any part may be annotated.
    private var whole: Set<Int> = []
    private var times: [Int: [AnnotationTimes]] = [:]

    /// - Parameter times: Nil: anywhere in the recordings.
    mutating func add(_ clips: some Sequence<Int>, at times: AnnotationTimes? = nil) {
        guard let times else { return whole.formUnion(clips) }
        for clip in clips { self.times[clip, default: []].append(times) }
    }

    mutating func merge(_ other: UnreadParts) {
        whole.formUnion(other.whole)
        times.merge(other.times) { $0 + $1 }
    }

    /// The parts of the recording of a clip.
    func spans(ofClip clip: Int, in recording: RecordingLengths.Recording) -> [TimeSpan] {
        guard !whole.contains(clip) else { return [TimeSpan(start: 0, end: recording.length)] }
        return (times[clip] ?? []).compactMap { $0.span(within: recording) }
    }
}

extension AnnotationTimes {
    /// The part that lies in a recording; nil: none of it does.
    func span(within recording: RecordingLengths.Recording) -> TimeSpan? {
        let times = part(ofLength: Nanoseconds.seconds(recording.length))
        guard let range = times.resolved(rate: recording.sampleRate)?.range else { return nil }
        let (start, end) = (max(Nanoseconds.of(range.start), 0), min(Nanoseconds.of(range.end), recording.length))
        return start <= end ? TimeSpan(start: start, end: end) : nil
    }
}
