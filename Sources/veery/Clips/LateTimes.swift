import Annotations
import FeatureModel
import Presentation

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

    /// What to do about them, a sentence; nil: they say nothing together.
    func hint(_ table: AnnotationTable) -> String? {
        if count > 0, table.content.maybeCumulative {
            return
                "\(table.path): there is no column 'File Offset (s)', so the times may count from the start of the first of several "
                + "recordings: add that column in Raven"
        }
        guard count > 1, count * 2 >= table.content.rows.count else { return nil }
        let times =
            "\(table.path): times are up to \(Wording.count(Int(min(ratio, 1e15)))) times the length of the recording: "
        // Other formats say their unit.
        guard table.kind == .times else { return ratio < Self.farRatio ? nil : times + "are they of another one?" }
        if !someFit, starts * 2 > count {
            let unit =
                fitMilliseconds && longest >= Self.leastLongest
                ? ("milliseconds", "ms") : fitSamples ? ("samples", "samples") : nil
            if let (name, value) = unit {
                return "\(table.path): all times fit their recordings if they are \(name): --time-unit \(value)"
            }
        }
        return ratio < Self.farRatio ? nil : times + "are they in another unit (--time-unit), or of another recording?"
    }
}
