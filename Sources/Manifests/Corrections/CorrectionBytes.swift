import FileIO
import Platform

/// A file of corrections that is open, and which other programs may write to at the same time.
///
/// Whoever writes holds an exclusive lock of it, and who reads a shared one, each for one call. Where a file system has no locks, lines
/// are written by one call each, at the end of the file, so that two programs do not mix theirs.
final class CorrectionBytes: Sendable {
    let file: StorageFile
    /// The file, whatever has its name later.
    let identity: FileIdentity
    /// Why it was opened for reading alone, where it should have been for writing; nil: nothing is wrong.
    private let refusal: SystemError?

    /// - Parameter isWritten: Whether it is opened for writing, too. A file that may not be written to is read; `append` throws then.
    /// - Throws: `CorrectionError.notFound`, `.notRegularFile`, `.system`.
    init(path: String, isWritten: Bool = false) throws(CorrectionError) {
        do throws(CorrectionError) {
            file = try Self.open(path, isWritten ? O_RDWR | O_APPEND : O_RDONLY)
            refusal = nil
        } catch {
            guard isWritten, case .system(_, _, let cause) = error, [EACCES, EPERM, EROFS].contains(cause.code) else {
                throw error
            }
            file = try Self.open(path, O_RDONLY)
            refusal = cause
        }
        guard let status = FileStatus(descriptor: file.number), status.isRegular else {
            throw .notRegularFile(path: path)
        }
        identity = status.identity
    }

    private static func open(_ path: String, _ mode: Int32) throws(CorrectionError) -> StorageFile {
        do throws(StorageError) {
            // Not blocking: opening a pipe would wait for its writer.
            return try StorageFile(path: path, flags: mode | O_NONBLOCK, operation: "open")
        } catch {
            let code = error.systemCode ?? EIO
            switch code {
            case ENOENT, ENOTDIR: throw .notFound(path: path)
            case EISDIR, ENXIO: throw .notRegularFile(path: path)
            default: throw .system(path: path, operation: "open it", SystemError(code: code))
            }
        }
    }

    /// Whether the file of this name is still this one.
    var isInPlace: Bool { FileStatus(path: file.path)?.identity == identity }

    /// Length in bytes.
    var byteCount: Int { file.regularSize ?? 0 }

    /// Holds the lock during a body.
    func locked<Value>(_ kind: Int32, _ body: () throws(CorrectionError) -> Value) throws(CorrectionError) -> Value {
        while flock(file.number, kind) != 0, errno == EINTR {}
        defer { flock(file.number, LOCK_UN) }
        return try body()
    }

    /// All bytes, read while nobody writes.
    ///
    /// - Throws: `CorrectionError.system`.
    func all() throws(CorrectionError) -> [UInt8] {
        try locked(LOCK_SH) { () throws(CorrectionError) in try bytes(from: 0) }
    }

    /// The bytes from an offset on.
    ///
    /// - Throws: `CorrectionError.system`.
    func bytes(from offset: Int) throws(CorrectionError) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let read: Result<Int, StorageError> = block.withUnsafeMutableBytes { buffer in
                Result { () throws(StorageError) in try file.readSome(into: buffer, at: offset + bytes.count) }
            }
            switch read {
            case .success(0): return bytes
            case .success(let count): bytes += block[..<count]
            case .failure(let error):
                throw .system(path: file.path, operation: "read it", SystemError(code: error.systemCode ?? EIO))
            }
        }
    }

    /// Writes bytes at the end, and waits until they are on the disk. For who holds the exclusive lock.
    ///
    /// - Throws: `CorrectionError.system`; the file is as it was before then.
    func append(_ bytes: [UInt8]) throws(CorrectionError) {
        if let refusal { throw .system(path: file.path, operation: "write it", refusal) }
        let size = byteCount
        do throws(StorageError) {
            try write(bytes)
            try file.synchronize()
        } catch {
            // Nobody shall see a line whose author was told that it was not written.
            try? file.truncate(to: size)
            try? file.synchronize()
            throw .system(path: file.path, operation: "write it", SystemError(code: error.systemCode ?? EIO))
        }
    }

    private func write(_ bytes: [UInt8]) throws(StorageError) {
        do throws(AtomicFileError) { try AtomicFile.write(bytes, to: file.number) } catch {
            throw .system(operation: "writing", path: file.path, code: error.system?.code ?? EIO)
        }
    }
}
