import ClipSpool
import FeatureModel
import FeatureStorage

/// An extraction that came to an end before the file was complete, with clips that the next run goes on with.
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
        case ExtractionError.emptySplit: "they are used again when normalize is set otherwise; --fresh throws them away"
        case StorageError.damaged: "with that file mended, the same command goes on with them; --fresh throws them away"
        default: "give the same command again to go on with them"
        }
    }
}

extension StoppedExtraction: SystemFaultReporting {
    package var isSystemFault: Bool { cause.isSystemFault }
}
