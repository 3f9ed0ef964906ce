import FeatureModel
import FileIO

/// Why features were not exported, apart from what went wrong with a file: `StorageError`.
package enum ExportError: Error, Hashable, Sendable {
    /// The folder to be replaced was renamed to `kept`, and then the system refused to rename either folder to `path`.
    case displaced(path: String, kept: String, code: Int32)
    /// The output exists.
    case exists(path: String)
    /// The output exists and is not a folder.
    case notFolder(path: String)
    /// The output is a symbolic link to nothing.
    case linkToNothing(path: String)
    /// A folder to be replaced contains something that no export wrote.
    case foreignFolder(path: String, found: String)
    /// The output cannot be the name of a new folder, such as `.`.
    case notName(path: String)
    /// No clip is in this split, or has this label; `known` are those of the file.
    case noSuch(path: String, what: String, name: String, known: [String])
    /// The format cannot hold what was asked for.
    case unsupported(path: String, reason: String)
    /// A part was asked for, but a reference always describes the whole feature file.
    case referenceOfPart(path: String)
    /// Chunks of an array are stored with different filters, which a reference cannot express.
    case mixedFilters(path: String, array: String)
    /// A clip's rows in the feature file do not match its checksum.
    case damagedClip(path: String, id: String)
    /// The header of a safetensors file would be too long for the ids and labels of all clips, in bytes.
    case headerTooLong(path: String, bytes: Int, maximum: Int)
    /// It was stopped.
    case cancelled
}

extension ExportError {
    /// What a failure to make the folder means.
    static func of(_ error: AtomicFileError, path: String) -> any Error {
        switch error {
        case .exists: ExportError.exists(path: path)
        case .notRegular: ExportError.notFolder(path: path)
        case .creating(let error): StorageError.system(operation: "creating the folder", path: path, code: error.code)
        case .writing(let error, _), .synchronizing(let error), .closing(let error):
            StorageError.system(operation: "writing", path: path, code: error.code)
        case .naming(let error): StorageError.system(operation: "naming the folder", path: path, code: error.code)
        case .displaced(let error, let kept): ExportError.displaced(path: path, kept: kept, code: error.code)
        }
    }
}

extension ExportError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .displaced(_, _, let code): SystemError(code: code).isFault
        default: false
        }
    }
}
