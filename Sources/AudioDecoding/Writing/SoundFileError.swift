import FeatureModel
import FileIO

package enum SoundFileError: Error, Hashable, Sendable {
    /// The extension names no container; `writable` lists the extensions that can be written.
    case unknownExtension(path: String, writable: [String])
    /// libsndfile does not write this container at all, or not at this rate or with these channels.
    case unsupported(path: String, SoundFileContainer, sampleRate: Int, channels: Int)
    /// The file exists and is not to be replaced.
    case exists(path: String)
    /// Something other than a regular file has the name.
    case notReplaceable(path: String)
    case tooLong(path: String, bytes: Int, maximum: Int)
    /// The written file is not what was written; the system may be at fault.
    case damaged(path: String, reason: String, isSystemFault: Bool)
    /// The system refused an operation.
    case failed(path: String, operation: String, SystemError)
    /// libsndfile refused to write samples, by its words.
    case refused(path: String, words: String)
}

extension SoundFileError {
    init(_ error: AtomicFileError, path: String) {
        self =
            switch error {
            case .exists: .exists(path: path)
            case .notRegular: .notReplaceable(path: path)
            case .creating(let error): .failed(path: path, operation: "create a file in its folder", error)
            case .writing(let error, _), .synchronizing(let error), .closing(let error):
                .failed(path: path, operation: "write it", error)
            case .naming(let error), .displaced(let error, _):
                .failed(path: path, operation: "give the file its name", error)
            }
    }
}

extension SoundFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownExtension(let path, let writable):
            "\(path): expected a name that ends in \(writable.dropLast().joined(separator: ", ")) or "
                + "\(writable.last ?? ""), which says how the recording is written"
        case .unsupported(let path, let container, let sampleRate, let channels):
            "\(path): libsndfile does not write this format with \(channels) channel\(channels == 1 ? "" : "s") at "
                + "\(sampleRate) Hz\(container.properties.demands.map { ": \($0)" } ?? ""); "
                + "choose another (\(SoundFileContainer.writableExtensions.joined(separator: " ")))"
        case .exists(let path): "\(path): the file exists: give --overwrite to replace it, or another name"
        case .notReplaceable(let path):
            "\(path): expected a regular file or nothing under this name, found a folder, pipe or device"
        case .tooLong(let path, let bytes, let maximum):
            "\(path): \(bytes) bytes of samples are more than the \(maximum) that the format holds: "
                + "choose .w64, .rf64, .caf or .flac"
        case .damaged(let path, let reason, _):
            "\(path): the file did not read back as it was written, and was removed: \(reason)"
        case .failed(let path, let operation, let error): "\(path): cannot \(operation): \(error)"
        case .refused(let path, let words): "\(path): cannot write it: \(words) (libsndfile)"
        }
    }
}

extension SoundFileError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .failed(_, _, let error): error.isFault
        case .damaged(_, _, let isSystemFault): isSystemFault
        default: false
        }
    }
}
