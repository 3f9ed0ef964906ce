extension UnreadParts {
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
