import ClipSpool
import FeatureModel
import FeatureStorage

/// An extraction that ended before the file was complete, with finished clips that the next run reuses.
package struct StoppedExtraction: Error, CustomStringConvertible {
    /// Why.
    package let cause: any Error
    /// Clips that are done, failed ones included.
    package let done: Int
    /// Clips of the manifest.
    package let total: Int
    /// The folder that keeps them.
    package let folder: String

    /// Whether it was asked to stop.
    package var isCancelled: Bool { cause as? ExtractionError == .cancelled }

    /// The error in two lines for a person.
    package var description: String {
        "\(cause)\n\(done) of \(total) clips are done and kept in \(folder): \(advice)"
    }

    private var advice: String {
        switch cause {
        case ExtractionError.emptySplit: "a run with another normalize section reuses them; --fresh discards them"
        case StorageError.damaged: "repair that file and give the same command again to resume; --fresh discards them"
        default: "give the same command again to resume"
        }
    }
}

extension StoppedExtraction: SystemFaultReporting {
    package var isSystemFault: Bool { cause.isSystemFault }
}
