import Foundation

/// A file that takes its name when it is complete; or standard output.
final class OutputFile {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private let overwriting: Bool
    private var buffer: [UInt8] = []
    private var isFinished = false
    private let shown: ((String) -> String)?

    /// Opens a new file beside `path`; standard output if that is `-`.
    init(path: String, overwriting: Bool, shown: ((String) -> String)? = nil) throws(ManifestError) {
        self.path = path
        self.shown = shown
        self.overwriting = overwriting
        guard path != "-" else {
            temporaryPath = ""
            descriptor = STDOUT_FILENO
            return
        }
        if !overwriting, access(path, F_OK) == 0 { throw .outputExists(path: path) }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw .systemError(path: path, operation: "write it", EISDIR)
        }
        temporaryPath = "\(path).\(getpid()).part"
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .systemError(path: temporaryPath, operation: "create it", errno) }
    }

    deinit {
        guard path != "-", !isFinished else { return }
        close(descriptor)
        unlink(temporaryPath)
    }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws(ManifestError) {
        buffer.append(contentsOf: shown.map { Array($0(String(decoding: bytes, as: UTF8.self)).utf8) } ?? bytes)
        if buffer.count >= BlockReader.blockSize { try flush() }
    }

    /// Writes what is left, and gives the file its name.
    func finish() throws(ManifestError) {
        try flush()
        guard path != "-" else { return }
        guard fsync(descriptor) == 0 else { throw .systemError(path: path, operation: "write it", errno) }
        // A hard link, unlike a renaming, fails if somebody has made the file meanwhile.
        if !overwriting, link(temporaryPath, path) == 0 {
            unlink(temporaryPath)
        } else if !overwriting, errno == EEXIST {
            throw .outputExists(path: path)
        } else if rename(temporaryPath, path) != 0 {
            throw .systemError(path: path, operation: "give it its name", errno)
        }
        close(descriptor)
        isFinished = true
    }

    private func flush() throws(ManifestError) {
        var start = 0
        while start < buffer.count {
            let count = buffer[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let name = path == "-" ? "standard output" : path
                throw .systemError(path: name, operation: "write it", errno)
            }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
