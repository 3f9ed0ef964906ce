import FileIO
import Platform

/// Where the bytes of a manifest come from. They are read more than once.
package struct ManifestInput: Sendable {
    /// What messages call it: the path of a file, or `standard input`.
    package let name: String
    /// Whether it is a file, not standard input.
    package var isFile: Bool { kept == nil }
    /// The bytes of standard input; nil: those of the file.
    let kept: KeptBytes?

    /// Whether its text is read as Windows-1252.
    private(set) var isWindows1252 = false

    /// A file.
    package init(path: String) { (name, kept) = (path, nil) }

    /// Standard input, of which a copy is kept on the disk for as long as this value or a reader of it lives.
    ///
    /// - Throws: `ManifestError.systemError`, for example if the disk is full.
    /// - Complexity: Reads to the end of standard input.
    package static func standardInput() throws(ManifestError) -> ManifestInput {
        let name = "standard input"
        let kept = try KeptBytes(name: name)
        try kept.append(stream: STDIN_FILENO)
        return ManifestInput(name: name, kept: kept)
    }

    /// The maximum length of a text that is looked at for its encoding, in bytes.
    private static let maximumText = 1 << 28

    /// The same with a text in Windows-1252, of which Latin-1's letters are a part; nil: it is not, or too long to tell.
    func inWindows1252() throws(ManifestError) -> ManifestInput? {
        guard !isWindows1252 else { return nil }
        let stored = try StoredBytes(self)
        let isPacked = try stored.start(2) == GzipBytes.signature
        let source: any ByteSource = isPacked ? try GzipBytes(stored, name: name) : stored
        var (text, block) = ([UInt8](), [UInt8](repeating: 0, count: BlockReader.blockSize))
        while true {
            let count = try block.withUnsafeMutableBufferPointer { block throws(ManifestError) in
                try source.read(into: UnsafeMutableRawBufferPointer(block))
            }
            guard count > 0 else { break }
            text += block[..<count]
            guard text.count <= Self.maximumText else { return nil }
        }
        guard Windows1252.text(text) != nil else { return nil }
        var input = self
        input.isWindows1252 = true
        return input
    }

    /// Reads the input, and where that fails since it is not in UTF-8, reads it as Windows-1252 if it may be that.
    ///
    /// - Returns: What `read` returns, and whether the encoding is assumed.
    func decoded<Result>(
        _ read: (ManifestInput) throws(ManifestError) -> Result
    ) throws(ManifestError) -> (result: Result, isAssumed: Bool) {
        do throws(ManifestError) { return (try read(self), false) } catch {
            guard error.isOfEncoding, let other = try inWindows1252() else { throw error }
            return (try read(other), true)
        }
    }

    init(name: String, kept: KeptBytes) { (self.name, self.kept) = (name, kept) }
}

/// Bytes in a file without a name: it is gone with the program, in whichever way that ends.
final class KeptBytes: Sendable {
    let descriptor: Int32
    private let folder: String
    private let name: String

    /// An empty file, in the folder for temporary files. `name` is what messages call the bytes.
    init(name: String) throws(ManifestError) {
        self.name = name
        folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // The letters that mkstemp replaces.
        var path = Array("\(folder)/veery-\(String(repeating: "X", count: 6))".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .systemError(path: name, operation: "keep it in \(folder)", errno) }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws(ManifestError) {
        do throws(AtomicFileError) {
            try AtomicFile.write(bytes, to: descriptor)
        } catch {
            throw .systemError(path: name, operation: "keep it in \(folder)", error.system?.code ?? EIO)
        }
    }

    /// Appends all bytes of a stream.
    func append(stream: Int32) throws(ManifestError) {
        while true {
            var bytes = [UInt8](repeating: 0, count: BlockReader.blockSize)
            let count = read(stream, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .systemError(path: name, operation: "read it", errno) }
            guard count > 0 else { return }
            try append(Array(bytes[..<count]))
        }
    }
}

extension ManifestFormat {
    /// The format by the first line of a text; nil where it is that of none.
    init?(firstLine line: [UInt8]) {
        if line.first(where: { $0 > Byte.space }) == UInt8(ascii: "{") {
            self = .jsonLines
        } else if let delimiter = HeaderDelimiter.found(in: line), delimiter.byte != UInt8(ascii: "|") {
            self = delimiter.byte == Byte.tab ? .tsv : .csv
        } else if HeaderDelimiter.isPath(line) {
            self = .csv
        } else {
            return nil
        }
    }
}

extension ManifestError {
    /// Whether a text is refused since it is not in UTF-8.
    fileprivate var isOfEncoding: Bool {
        switch self {
        case .badHeader(_, _, let text): ManifestRow.isOfEncoding(text)
        case .invalidRows(_, let problems, _): problems.contains { ManifestRow.isOfEncoding($0.text) }
        default: false
        }
    }
}
