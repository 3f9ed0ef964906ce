import FileIO

/// Why a picture was not drawn or not written.
package enum PlotError: Error, Hashable, Sendable {
    /// A setting of the picture that is out of its range, or does not fit the matrix.
    case invalidSetting(name: String, found: String, expected: String)
    /// Cairo refused an operation; `status` is its own text.
    case cairo(operation: String, status: String)
    /// libpng refused an operation.
    case encoding(operation: String)
    /// The file system refused an operation on `path`; `reason` is the system's own text.
    case file(path: String, operation: String, reason: String)
}

extension PlotError {
    init(_ error: AtomicFileError, path: String, byteCount: Int) {
        let (operation, reason) =
            switch error {
            case .exists, .notRegular: ("replacing it", "not a regular file")
            case .creating(let error): ("creating a file in its folder", "\(error)")
            case .writing(let error, let offset): ("writing byte \(offset) of \(byteCount)", "\(error)")
            case .synchronizing(let error), .closing(let error): ("closing the file", "\(error)")
            case .naming(let error): ("giving the finished file its name", "\(error)")
            }
        self = .file(path: path, operation: operation, reason: reason)
    }
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
        case .file(let path, let operation, let reason):
            "picture '\(path)': \(reason) while \(operation)"
        }
    }
}
