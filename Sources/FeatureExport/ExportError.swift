import FeatureModel
import FeatureStorage
import FileIO
import Platform

/// Why features were not exported.
package enum ExportError: Error, Hashable, Sendable {
    /// The system refused an operation; `code` is its `errno`.
    case system(operation: String, path: String, code: Int32)
    /// The folder to be replaced has another name now, and the system refused to give the name to either folder.
    case displaced(path: String, kept: String, code: Int32)
    /// A file that is being written does not hold what was written.
    case damaged(path: String, found: String)
    /// The feature file cannot be read.
    case storage(StorageError)
    /// The output exists.
    case exists(path: String)
    /// The output is a file, or another thing than a folder.
    case notFolder(path: String)
    /// The output is a symbolic link to nothing.
    case linkToNothing(path: String)
    /// A folder to be replaced holds something that no export wrote.
    case foreignFolder(path: String, found: String)
    /// The output cannot be the name of a new folder, such as `.`.
    case notName(path: String)
    /// No clip is in this split, or has this label; `known` are those of the file.
    case noSuch(path: String, what: String, name: String, known: [String])
    /// The format cannot hold what was asked for.
    case unsupported(path: String, reason: String)
    /// A reference is of the whole feature file, and a part was asked for.
    case referenceOfPart(path: String)
    /// Chunks of an array are stored with different filters, which a reference cannot say.
    case mixedFilters(path: String, array: String)
    /// Rows of the feature file are not those whose checksum it has.
    case damagedClip(path: String, id: String)
    /// The header of a safetensors file would be too long for the ids and labels of all clips, in bytes.
    case headerTooLong(path: String, bytes: Int, maximum: Int)
    /// It was stopped.
    case cancelled
}

extension ExportError: FileFailure {
    init(_ error: AtomicFileError, path: String) {
        switch error {
        case .exists: self = .exists(path: path)
        case .notRegular: self = .notFolder(path: path)
        case .creating(let error): self = .system(operation: "creating the folder", path: path, code: error.code)
        case .writing(let error, _), .synchronizing(let error), .closing(let error):
            self = .system(operation: "writing", path: path, code: error.code)
        case .naming(let error): self = .system(operation: "naming the folder", path: path, code: error.code)
        case .displaced(let error, let kept): self = .displaced(path: path, kept: kept, code: error.code)
        }
    }

    /// Runs what reads the feature file.
    static func reading<Value>(_ body: () throws(StorageError) -> Value) throws(ExportError) -> Value {
        do throws(StorageError) { return try body() } catch { throw .storage(error) }
    }
}

extension ExportError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .system(_, _, let code), .displaced(_, _, let code): SystemError(code: code).isFault
        case .storage(let error): error.isSystemFault
        default: false
        }
    }
}
