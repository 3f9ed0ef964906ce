import FeatureModel
import FileIO

/// Why an array cannot be read from a file.
package enum ArrayFileError: Error, Hashable, Sendable {
    /// The system refused an operation.
    case system(path: String, SystemError)
    /// The file, or an array in it, is damaged or of another kind; `name` is that of the array, nil where it is the file.
    case content(path: String, name: String?, expected: String, found: String)
    /// There is no array of this name.
    case noSuchArray(path: String, name: String, names: [String])
    /// The file has several arrays, and none was chosen.
    case severalArrays(path: String, names: [String])
}

extension ArrayFileError: SystemFaultReporting {
    package var isSystemFault: Bool { if case .system(_, let error) = self { error.isFault } else { false } }
}
