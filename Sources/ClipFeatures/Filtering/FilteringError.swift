import FeatureModel

/// Why a recording was not filtered, apart from errors of configuration and of the file that is written.
package enum FilteringError: Error, Hashable, Sendable {
    /// It was asked to stop.
    case cancelled
    /// The recording cannot be read to its end.
    case recording(path: String, failure: ClipFailure)
    /// Input and output are one file, be it by two names.
    case sameFile(input: String, output: String)
}

extension FilteringError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .cancelled: "stopped before the file was complete; nothing was written"
        case .recording(let path, let failure): "\(path): \(failure.reason)"
        case .sameFile(let input, let output):
            input == output
                ? "\(input): input and output are the same file: give another name for the output"
                : "\(input) and \(output) are the same file: give another name for the output"
        }
    }
}

extension FilteringError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .recording(_, let failure) = self else { return false }
        return failure.isSystemFault
    }
}
