import Annotations
import FeatureModel
import Manifests

extension AnnotationError: CustomStringConvertible {
    /// How many problems are listed in words.
    private static let listed = 20

    /// The file, what was expected, what was found, and what to do.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason, _): "\(path): \(reason)"
        case .unknownTable(let path, let line, let found):
            "\(path), line \(line): expected annotations (\(Self.formats)), found \(quoted(found))"
        case .fixedUnit(let path, let kind, let unit):
            "\(path): --time-unit \(unit.rawValue) does not apply to the format '\(kind.name)', whose times are in seconds: leave it "
                + "out, or convert the times to seconds"
        case .ofLhotse(let path):
            "\(path): it is a manifest of lhotse, of which annotations are not read; expected annotations (\(Self.formats))"
        case .noReader(let path, let format): "\(path): it is \(format.sentence(path: path))"
        case .invalid(let path, let problems, let total): Self.list(path, problems, total)
        case .unknownSampleRate(let path):
            "\(path): its positions are samples, and the sample rate of the recording is not known"
        case .noSuchChannel(let path, let line, let channel, let recording, let channels):
            "\(path), line \(line): its channel is \(channel) (counted from 0), but \(quoted(recording)) has \(channels) "
                + (channels == 1 ? "channel" : "channels")
        case .otherRecordings(let path, let recording, let found, let total):
            "\(path): no row names \(quoted(recording)); rows name \(found.map(quoted).joined(separator: ", "))"
                + (total > found.count ? " and \(total - found.count) more" : "")
        }
    }

    private static let formats =
        "a Raven selection table, Audacity labels, a Praat TextGrid, Annotation.xml, a CSV with columns such as onset and"
        + " offset, BirdNET-Analyzer's results, CTM, RTTM, or a manifest with a column 'path'"

    private static func list(_ path: String, _ problems: [AnnotationProblem], _ total: Int) -> String {
        if total == 1, let only = problems.first {
            return "\(path)\(only.line.map { ", line \($0)" } ?? ""): \(only.text)"
        }
        let shown = problems.prefix(listed).map { problem in
            (problem.line.map { "line \($0): " } ?? "") + "\(problem.text)"
        }
        let rest = total > shown.count ? ["… and \(total - shown.count) more"] : []
        return (["\(path): \(total) problems; nothing was done:"] + shown + rest).joined(separator: "\n  ")
    }
}
