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

extension ExportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let operation, let path, let code):
            "\(path): \(operation) failed: \(SystemError(code: code))"
        case .displaced(let path, let kept, let code):
            "\(path): naming the folder failed: \(SystemError(code: code)); the older folder is kept as \(kept): give it its name "
                + "back, or export again"
        case .damaged(let path, let found): "\(path): the file is damaged: \(found)"
        case .storage(let error): "\(error)"
        case .exists(let path):
            "\(path): the folder exists and is not empty; --overwrite replaces it, or choose another folder"
        case .notFolder(let path): "\(path): expected the name of a new folder, found something else of this name"
        case .linkToNothing(let path):
            "\(path): this symbolic link leads to nothing: delete it, or choose another folder"
        case .foreignFolder(let path, let found):
            "\(path): expected a folder that 'veery export' wrote, found '\(found)' in it: choose another folder"
        case .notName(let path): "\(path): expected the name of a new folder, such as \(path)/export"
        case .noSuch(let path, let what, let name, let known):
            "\(path): no clip \(what) '\(name)'"
                + (known.isEmpty ? "" : "; expected one of: \(known.joined(separator: ", "))")
        case .unsupported(let path, let reason): "\(path): \(reason)"
        case .cancelled: "stopped; nothing was written"
        }
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
