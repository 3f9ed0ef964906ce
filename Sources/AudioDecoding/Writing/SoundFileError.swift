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

extension SoundFileError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .failed(_, _, let error): error.isFault
        case .damaged(_, _, let isSystemFault): isSystemFault
        default: false
        }
    }
}
