import FeatureModel
import Manifests

package enum AnnotationError: Error {
    /// The file cannot be read, for a reason such as "it is a folder".
    case unreadable(path: String, reason: String, isSystemFault: Bool = false)
    /// The content is that of no format.
    case unknownTable(path: String, line: Int, found: String)
    /// Times of this format are in seconds, and another unit was asked for.
    case fixedUnit(path: String, kind: AnnotationKind, unit: TimeUnit)
    /// It is a manifest of lhotse: cuts, supervisions or features.
    case ofLhotse(path: String)
    /// The content is that of a format without a reader.
    case noReader(path: String, ForeignAnnotations)
    /// The content is wrong: the first problems, and their total number.
    case invalid(path: String, problems: [AnnotationProblem], total: Int)
    /// Positions are in samples, and the recording's sample rate is not known.
    case unknownSampleRate(path: String)
    /// A row names a channel, from 0, that its recording does not have.
    case noSuchChannel(path: String, line: Int, channel: Int, recording: String, channels: Int)
    /// All rows name other recordings; the first few are listed.
    case otherRecordings(path: String, recording: String, found: [String], total: Int)
}

/// What is wrong in an annotation file.
package struct AnnotationProblem: Sendable {
    /// The line, from 1; nil: that of the file as a whole.
    package let line: Int?
    package let text: Note

    package init(line: Int?, text: Note) { (self.line, self.text) = (line, text) }
}

extension AnnotationError {
    /// The line that it is about; nil: it is about the file as a whole.
    var line: Int? {
        switch self {
        case .unknownTable(_, let line, _), .noSuchChannel(_, let line, _, _, _): line
        default: nil
        }
    }
}

extension AnnotationError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .unreadable(_, _, let isFault) = self else { return false }
        return isFault
    }
}
