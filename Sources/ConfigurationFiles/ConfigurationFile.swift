import FeatureModel
import FileIO
import Platform

/// Reads the text of a configuration file or pipe. Its length and the time to wait are limited, so that a wrong path, such as a
/// recording or a device, is an error at once.
enum ConfigurationFile {
    /// The longest text of a configuration, in bytes; one that states every key has two thousand, and constants of columns up to 22 each.
    static let maximumLength = 1 << 20
    /// How long to wait for a writer of a pipe, and for its next bytes, in ms.
    private static let patience = (writer: 2000, bytes: 30_000)

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
        // A pipe without a writer would block.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .system(path: path, code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(path: path, code: errno) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw unreadable("expected a file of YAML or JSON, found a folder") }
        let limit = "expected a configuration of at most \(maximumLength) bytes"
        if kind == S_IFREG, status.st_size > maximumLength { throw unreadable("\(limit), found \(status.st_size)") }

        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var waited = 0
        while true {
            let count = read(file, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer[..<count]
                guard bytes.count <= maximumLength else { throw unreadable("\(limit), found more") }
                waited = 0
            } else if count == 0, kind != S_IFIFO || !bytes.isEmpty {
                break
            } else if count == 0 || errno == EAGAIN || errno == EINTR {
                let isOpen = count < 0
                guard waited < (isOpen ? patience.bytes : patience.writer) else {
                    throw unreadable(
                        isOpen
                            ? "expected text from the pipe, found none for \(waited / 1000) s"
                            : "expected a writer of the pipe, found none for \(waited / 1000) s")
                }
                // Without a writer, polling would return at once.
                var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                if isOpen { _ = poll(&descriptor, 1, 20) } else { usleep(20_000) }
                waited += 20
            } else {
                throw .system(path: path, code: errno)
            }
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
