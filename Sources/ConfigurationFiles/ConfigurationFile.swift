import FeatureModel
import FileIO

/// Reads the text of a configuration file or pipe. Its length is limited, so that a wrong path, such as a recording or a
/// device, is an error at once.
enum ConfigurationFile {
    /// The longest text of a configuration, in bytes; one that states every key has two thousand, and constants of columns up to 22 each.
    static let maximumLength = 1 << 20

    /// The text of a configuration; a longer one than `maximumLength` bytes is refused.
    static func text(path: String) throws(ConfigurationFileError) -> String {
        try contents(path: path, maximum: maximumLength).text
    }

    /// Reads a file, or a pipe until its last writer has closed it; a longer one than `maximum` bytes is refused.
    ///
    /// - Returns: The text, without a byte order mark, and the XXH3-128 of all bytes.
    static func contents(
        path: String, maximum maximumLength: Int
    ) throws(ConfigurationFileError) -> (text: String, checksum: Checksum128) {
        func unreadable(_ reason: String) -> ConfigurationFileError { .unreadable(path: path, reason: reason) }
        let limit = "expected a configuration of at most \(maximumLength) bytes"
        var bytes: [UInt8] = []
        do {
            let reader = try PatientReader(path: path)
            guard !reader.status.isFolder else {
                throw unreadable("expected a file of YAML or JSON, found a folder")
            }
            if reader.status.isRegular, reader.status.byteCount > maximumLength {
                throw unreadable("\(limit), found \(reader.status.byteCount)")
            }
            while case let piece = try reader.next(4096), !piece.isEmpty {
                bytes += piece
                guard bytes.count <= maximumLength else { throw unreadable("\(limit), found more") }
            }
        } catch let error as ConfigurationFileError {
            throw error
        } catch PatientReader.Failure.system(let error) {
            throw .system(path: path, code: error.code)
        } catch {
            throw unreadable("\(error)")
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw unreadable("expected text in UTF-8") }
        return (text, bytes.withUnsafeBytes { XXH3Hash128.checksum(of: $0) })
    }
}

package enum ConfigurationFileError: Error, Hashable, Sendable {
    case unreadable(path: String, reason: String)
    /// The system refused to read the file; `code` is its `errno`.
    case system(path: String, code: Int32)
    /// The text is neither YAML nor JSON.
    case notYAML(path: String, reason: String)
    /// The file is a model's own, which is given as a preset.
    case modelFile(path: String)
    /// A value in the file is not accepted; the model whose input the file changes, if it does.
    case invalid(path: String, ConfigurationError, ModelInput?)
    /// The value of `extends` is not the name of a preset; nil: it is not a text.
    case unknownPreset(path: String, name: String?)
    case notAnAssignment(String)
    case emptyAssignment(String)
    /// The value is neither YAML nor JSON.
    case badAssignment(String, reason: String)
}

extension ConfigurationFileError: SystemFaultReporting {
    package var isSystemFault: Bool {
        if case .system(_, let code) = self { SystemError(code: code).isFault } else { false }
    }
}
