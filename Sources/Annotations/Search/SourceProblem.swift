import FeatureModel
import Manifests

/// What is wrong with an annotation, an annotation file or a recording.
package struct SourceProblem: Sendable {
    package enum Kind: Sendable {
        /// What the reader of the file says, or of whoever looked for its recordings.
        case stated(Note)
        /// Further problems of the file, which are only counted.
        case more(Int)
        /// The file cannot be read.
        case unread(any Error)
        /// A recording, and as many others as `rest` says, have these annotation files, all but one of them too many. The patterns
        /// of names choose one of them each.
        case severalTables([String], patterns: [String], rest: Int)
        /// A label that the list of a clip's labels cannot hold, as a CSV has it.
        case inseparable(label: String)
        /// Windows are made of a recording that is cut off; the reason is in the words of other commands.
        case cutOff(reason: String)
        /// No annotation has a confidence, and there is a minimum. Distances, which some tables have, are not confidences.
        case noConfidence(hasDistances: Bool)
        /// A confidence above 1, and there is a minimum.
        case confidenceOutOfRange(Double)
        /// The channel that an annotation names, from 0.
        case noSuchChannel(Int, recording: String, channels: Int)
        /// The annotation equals that of another line.
        case repeated(line: Int)
        // Times are in nanoseconds.
        case startsBefore(start: Int)
        case startsLate(start: Int, length: Int)
        /// Most of it lies after the end.
        case endsLate(end: Int, length: Int)
        /// The start, or only the end, lies after the readable part of a recording that is cut off.
        case beyondCut(Int, isStart: Bool, length: Int)
        /// A point, which is not a clip without context or a minimum length.
        case point
        /// Annotations of single channels for the frames of a mix, with the first such channel from 0.
        case mixedChannels(first: Int)
    }

    /// The file, or the recording.
    package let path: String
    /// From 1; nil: that of the file as a whole.
    package let line: Int?
    package let kind: Kind

    init(_ path: String, line: Int? = nil, _ kind: Kind) { (self.path, self.line, self.kind) = (path, line, kind) }

    init(_ path: String, _ problem: AnnotationProblem) {
        self.init(path, line: problem.line, .stated(problem.text))
    }
}

/// All problems of the annotations of a source, in the order in which they were found.
package struct SourceProblems: Error {
    package let problems: [SourceProblem]
    /// What to do about them.
    package let hints: [SourceNote]
    /// What messages call the source.
    package let source: String
    /// Whether what has problems can be left out.
    package let canSkip: Bool

    init(_ problems: [SourceProblem], hints: [SourceNote], of source: String, canSkip: Bool) {
        (self.problems, self.hints, self.source, self.canSkip) = (problems, hints, source, canSkip)
    }
}

/// Notes on annotations and on the clips that are made of them.
package enum SourceNote: Hashable, Sendable {
    /// The annotation files that were found: their number, and the name and format of the first.
    case tables(Int, first: String, format: String, isOfSeveral: Bool)

    // Times of a table after the end of its recordings.
    /// They may count from the start of the first of several recordings.
    case cumulativeTimes(path: String)
    /// All of them fit as times in this unit.
    case timesFit(TimeUnit, path: String)
    /// They are up to `ratio` times the length of the recording. Those of some formats may be in another unit.
    case distantTimes(path: String, ratio: Int, mayBeOfOtherUnit: Bool)

    // Annotations that were left out, changed or cut off.
    case belowConfidence(Int)
    /// With one of the labels.
    case labelledAsRecording(Int, label: String)
    case cutAtEnd(Int)
    case inNoWindow(Int)

    // Clips.
    case widened(Int)
    case tooShort(Int)
    case tooLong(Int)

    // Windows.
    case cutRecordings(Int)
    /// Parts of recordings that are shorter than a window, and their length in all, in nanoseconds.
    case remainders(Int, length: Int)
    /// Nil: the label is empty.
    case unlabelled(Int, label: String?)
    case droppedWindows(Int)
}
