import FeatureModel
import FileIO

/// Why a sound file was not written.
package enum SoundFileError: Error, Hashable, Sendable {
    /// The name has no extension that stands for a container; `writable` are those that can be written.
    case unknownExtension(path: String, writable: [String])
    /// The library writes no such file at all, or not at this rate or with this many channels.
    case unsupported(path: String, SoundFileContainer, sampleRate: Int, channels: Int)
    /// The file exists and is not to be replaced.
    case exists(path: String)
    /// Something that is no regular file stands where the file is to come.
    case notReplaceable(path: String)
    /// The container cannot hold so much.
    case tooLong(path: String, bytes: Int, most: Int)
    /// What was written does not read back.
    case damaged(path: String, reason: String)
    /// The system or the library refused an operation.
    case failed(path: String, operation: String, reason: String)
}

extension SoundFileError {
    init(_ error: AtomicFileError, path: String) {
        self =
            switch error {
            case .exists: .exists(path: path)
            case .notRegular: .notReplaceable(path: path)
            case .creating(let error):
                .failed(path: path, operation: "create a file in its folder", reason: "\(error)")
            case .writing(let error, _), .synchronizing(let error), .closing(let error):
                .failed(path: path, operation: "write it", reason: "\(error)")
            case .naming(let error): .failed(path: path, operation: "give the file its name", reason: "\(error)")
            }
    }
}

extension SoundFileError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .unknownExtension(let path, let writable):
            "\(path): expected a name that ends in \(writable.dropLast().joined(separator: ", ")) or "
                + "\(writable.last ?? ""), which says how the recording is written"
        case .unsupported(let path, let container, let sampleRate, let channels):
            "\(path): libsndfile does not write this format with \(channels) channel\(channels == 1 ? "" : "s") at "
                + "\(sampleRate) Hz\(container.demands.map { ": \($0)" } ?? ""); "
                + "choose another (\(SoundFileContainer.writableExtensions.joined(separator: " ")))"
        case .exists(let path):
            "\(path): the file exists: give --overwrite to replace it, or another name"
        case .notReplaceable(let path):
            "\(path): expected a regular file or nothing under this name, found a folder, pipe or device"
        case .tooLong(let path, let bytes, let most):
            "\(path): \(bytes) bytes of samples are more than the \(most) that the format holds: "
                + "choose .w64, .rf64, .caf or .flac"
        case .damaged(let path, let reason):
            "\(path): the file did not read back as it was written, and was removed: \(reason)"
        case .failed(let path, let operation, let reason):
            "\(path): cannot \(operation): \(reason)"
        }
    }
}

extension SoundFileError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .failed(_, _, let reason), .damaged(_, let reason): SystemError.isFault(named: reason)
        default: false
        }
    }
}
