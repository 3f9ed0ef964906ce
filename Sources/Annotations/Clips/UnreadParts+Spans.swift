extension UnreadParts {
    /// The parts of the recording of a clip.
    func spans(ofClip clip: Int, in recording: RecordingLengths.Recording) -> [TimeSpan] {
        guard !whole.contains(clip) else { return [recording.span] }
        return (times[clip] ?? []).compactMap { $0.span(within: recording) }
    }

    /// Whether something of the recording of a clip is not read.
    func concerns(clip: Int) -> Bool { whole.contains(clip) || times[clip] != nil }
}

extension AnnotationTimes {
    /// The part that lies in a recording; all of it where none does: the times are wrong, and nothing says where they belong. Nil: it is in
    /// what is missing of a recording that is cut off.
    func span(within recording: RecordingLengths.Recording) -> TimeSpan? {
        let times = part(ofLength: Nanoseconds.seconds(recording.length))
        guard let range = times.resolved(rate: recording.sampleRate)?.range else { return recording.span }
        let (start, end) = (max(Nanoseconds.of(range.start), 0), min(Nanoseconds.of(range.end), recording.length))
        guard start > end else { return TimeSpan(start: start, end: end) }
        return recording.isCut ? nil : recording.span
    }
}

extension RecordingLengths.Recording {
    fileprivate var span: TimeSpan { TimeSpan(start: 0, end: length) }
}
