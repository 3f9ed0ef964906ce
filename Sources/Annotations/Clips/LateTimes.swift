import Manifests

/// The times of a table that lie after the ends of their recordings.
struct LateTimes {
    private var count = 0
    /// Of these, how many start there.
    private var starts = 0
    /// Whether some annotation lies in its recording, so that the unit of the table is right.
    var someFit = false
    /// Whether all would lie in their recordings if they were milliseconds, or samples.
    private var (fitMilliseconds, fitSamples) = (true, true)
    /// The longest annotation, in the unit of the table.
    private var longest = 0.0
    /// The times that exceed their recording most, in its lengths.
    private var ratio = 0.0

    /// Times beyond this many lengths of the recording are in another unit, or of another recording.
    private static let farRatio = 10.0
    /// No table has only shorter annotations than this, in milliseconds.
    private static let leastLongest = 5.0

    /// - Parameter isStart: Whether the annotation starts after the end of its recording.
    mutating func count(_ range: AnnotationTimes.Range, of recording: RecordingLengths.Recording, isStart: Bool) {
        let length = Double(recording.length) / 1e9
        count += 1
        if isStart { starts += 1 }
        if range.end / 1000 > length { fitMilliseconds = false }
        let isWhole = range.start == range.start.rounded() && range.end == range.end.rounded()
        if !isWhole || range.end / Double(recording.sampleRate) > length { fitSamples = false }
        longest = max(longest, range.end - range.start)
        ratio = max(ratio, range.end / max(length, 1e-9))
    }

    /// What to do about them; nil: they suggest nothing together.
    func hint(_ table: AnnotationTable) -> SourceNote? {
        if count > 0, table.content.maybeCumulative { return .cumulativeTimes(path: table.path) }
        guard count > 1, count * 2 >= table.content.rows.count else { return nil }
        // Other formats say their unit.
        let isInAnyUnit = table.kind == .times
        if isInAnyUnit, !someFit, starts * 2 > count {
            if fitMilliseconds, longest >= Self.leastLongest { return .timesFit(.milliseconds, path: table.path) }
            if fitSamples { return .timesFit(.samples, path: table.path) }
        }
        guard ratio >= Self.farRatio else { return nil }
        return .distantTimes(path: table.path, ratio: Int(min(ratio, 1e15)), mayBeOfOtherUnit: isInAnyUnit)
    }
}
