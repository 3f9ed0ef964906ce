import Annotations
import Manifests
import Presentation

extension SourceNote: CustomStringConvertible {
    /// What was done, and the option that changes it.
    package var description: String {
        switch self {
        case .tables(let count, let first, let format, let isOfSeveral):
            count == 1
                ? "annotations: '\(first)' (\(format)), \(isOfSeveral ? "of several recordings" : "beside its recording")"
                : "annotations: \(count) files beside their recordings, such as '\(first)' (\(format))"
        case .cumulativeTimes(let path):
            "\(path): there is no column 'File Offset (s)', so the times may count from the start of the first of several "
                + "recordings: add that column in Raven"
        case .timesFit(let unit, let path):
            "\(path): all times fit their recordings if they are \(unit.name): --time-unit \(unit.rawValue)"
        case .distantTimes(let path, let ratio, let mayBeOfOtherUnit):
            "\(path): times are up to \(Wording.count(ratio)) times the length of the recording: "
                + (mayBeOfOtherUnit
                    ? "are they in another unit (--time-unit), or of another recording?" : "are they of another one?")
        case .belowConfidence(let count): "\(Wording.count(count, "detection")) left out: below --min-confidence"
        case .labelledAsRecording(let count, let label):
            "\(Wording.count(count, "annotation")) with the label of the recording, such as "
                + "'\(label)' (--label-column, --label)"
        case .cutAtEnd(let count): "\(Wording.count(count, "annotation")) cut off at the end of the recording"
        case .inNoWindow(let count):
            "\(Wording.count(count, "annotation")) \(count == 1 ? "labels" : "label") no window "
                + "(--min-overlap, --partial, --best-window)"
        case .widened(let count):
            "\(Wording.count(count, "clip")) widened to the minimum length (--short drop leaves them out)"
        case .tooShort(let count): "\(Wording.count(count, "clip")) left out: shorter than --min-duration"
        case .tooLong(let count): "\(Wording.count(count, "clip")) left out: longer than --max-duration"
        case .cutRecordings(let count):
            "\(Wording.count(count, "recording")) cut off: windows of what can be read (--truncated keep)"
        case .remainders(let count, let length):
            "the last part of \(Wording.count(count, "recording")) is shorter than a window and left out, "
                + "\(Wording.duration(Nanoseconds.seconds(length))) in all (--partial keep or shift)"
        case .unlabelled(let count, let label):
            "\(Wording.count(count, "window")) without a label"
                + (label.map { " \(count == 1 ? "is" : "are") '\($0)'" } ?? " (--no-label gives them one)")
        case .droppedWindows(let count): "\(Wording.count(count, "window")) left out: no label"
        }
    }
}

extension TimeUnit {
    fileprivate var name: String {
        switch self {
        case .seconds: "seconds"
        case .milliseconds: "milliseconds"
        case .samples: "samples"
        }
    }
}
