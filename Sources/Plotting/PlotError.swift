import FeatureModel
import FileIO

package enum PlotError: Error, Hashable, Sendable {
    /// A setting of the picture that is out of its range, or does not fit the matrix.
    case invalidSetting(name: String, found: String, expected: String)
    /// Cairo refused an operation; `status` is its own text.
    case cairo(operation: String, status: String)
    case encoding(operation: String)
    case file(path: String, operation: String, error: SystemError)
    /// The path is not a regular file, and so is not replaced.
    case notRegular(path: String)
}

extension PlotError {
    package init(_ error: AtomicFileError, path: String, byteCount: Int) {
        func file(_ operation: String, _ error: SystemError) -> PlotError {
            .file(path: path, operation: operation, error: error)
        }
        self =
            switch error {
            case .exists, .notRegular: .notRegular(path: path)
            case .creating(let error): file("creating a file in its folder", error)
            case .writing(let error, let offset): file("writing byte \(offset) of \(byteCount)", error)
            case .synchronizing(let error), .closing(let error): file("writing it to the disk", error)
            case .naming(let error), .displaced(let error, _): file("giving the finished file its name", error)
            }
    }
}

extension PlotError: SystemFaultReporting {
    package var isSystemFault: Bool { if case .file(_, _, let error) = self { error.isFault } else { false } }
}

extension PlotError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidSetting(let name, let found, let expected):
            "picture \(name): expected \(expected), found \(found)"
        case .cairo(let operation, let status):
            "picture: \(status) while \(operation) (Cairo)"
        case .encoding(let operation):
            "picture: \(operation) failed (libpng)"
        case .file(let path, let operation, let error): "picture '\(path)': \(error) while \(operation)"
        case .notRegular(let path): "picture '\(path)': not a regular file while replacing it"
        }
    }
}
