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

    /// The text of a file in another encoding.
    ///
    /// - Throws: `ManifestError.systemError`, for example if the disk is full.
    package init(name: String, text: String) throws(ManifestError) {
        let kept = try KeptBytes(name: name)
        try kept.append(Array(text.utf8))
        self.init(name: name, kept: kept)
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
