import FileIO
import Platform

/// Where a manifest is written to: a file that takes its name when it is complete, or standard output.
final class OutputFile {
    private let path: String
    /// nil: standard output.
    private let file: AtomicFile?
    private var buffer: [UInt8] = []
    private let shown: ((String) -> String)?

    /// Makes a new file beside `path`; standard output if that is `-`.
    init(path: String, overwriting: Bool, shown: ((String) -> String)? = nil) throws(ManifestError) {
        self.path = path
        self.shown = shown
        do throws(AtomicFileError) {
            file = path == "-" ? nil : try AtomicFile(path: path, replacing: overwriting ? .regularFile : .nothing)
        } catch {
            throw Self.error(error, path, overwriting: overwriting)
        }
    }

    func append(_ bytes: [UInt8]) throws(ManifestError) {
        buffer.append(contentsOf: shown.map { Array($0(String(decoding: bytes, as: UTF8.self)).utf8) } ?? bytes)
        if buffer.count >= BlockReader.blockSize { try flush() }
    }

    /// Writes what is left, and gives the file its name.
    func finish() throws(ManifestError) {
        try flush()
        do throws(AtomicFileError) {
            try file?.synchronize()
            try file?.commit()
        } catch {
            throw Self.error(error, path)
        }
    }

    private func flush() throws(ManifestError) {
        do throws(AtomicFileError) {
            if let file { try file.write(buffer) } else { try AtomicFile.write(buffer, to: STDOUT_FILENO) }
        } catch {
            throw Self.error(error, path == "-" ? "standard output" : path)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func error(_ error: AtomicFileError, _ path: String, overwriting: Bool = false) -> ManifestError {
        switch error {
        case .exists: .outputExists(path: path)
        case .notRegular where !overwriting: .outputExists(path: path)
        case .notRegular: .notReplaceable(path: path)
        case .creating(let error): .systemError(path: path, operation: "create it", error.code)
        case .writing(let error, _), .synchronizing(let error), .closing(let error):
            .systemError(path: path, operation: "write it", error.code)
        case .naming(let error), .displaced(let error, _):
            .systemError(path: path, operation: "give it its name", error.code)
        }
    }
}
