import FileIO
import Platform

/// Bytes that are read forward, once.
protocol ByteSource: AnyObject {
    /// Reads into the start of a buffer of 16 bytes or more. Returns the number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int
}

/// The bytes of a manifest as they are stored, with their SHA-256.
final class StoredBytes: ByteSource {
    private let input: ManifestInput
    private let descriptor: Int32
    /// Bytes read so far.
    private(set) var byteCount = 0
    private var hash = SHA256Hash()

    /// Opens a file, which has to be a regular one.
    init(_ input: ManifestInput) throws(ManifestError) {
        self.input = input
        if let kept = input.kept {
            descriptor = kept.descriptor
            return
        }
        // Not blocking: opening a FIFO would wait for a writer.
        let descriptor = open(input.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? .notFound(path: input.name) : .systemError(path: input.name, operation: "open it", errno)
        }
        do {
            try Self.requireRegularFile(descriptor, path: input.name)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { if input.kept == nil { close(descriptor) } }

    /// SHA-256, in hexadecimal, of all bytes read so far.
    var sha256: String { hash.finish() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int {
        let count = try bytes(at: byteCount, into: buffer)
        byteCount += count
        hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    /// The first bytes, `count` of them if there are as many.
    func start(_ count: Int) throws(ManifestError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = try bytes.withUnsafeMutableBufferPointer { bytes throws(ManifestError) in
            try self.bytes(at: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        return Array(bytes[..<found])
    }

    private func bytes(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ManifestError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .systemError(path: input.name, operation: "read it", errno) }
            return count
        }
    }

    private static func requireRegularFile(_ descriptor: Int32, path: String) throws(ManifestError) {
        guard let status = FileStatus(descriptor: descriptor) else {
            throw .systemError(path: path, operation: "ask for its kind", errno)
        }
        switch status.kind {
        case .regular: return
        case .folder: throw .isFolder(path: path)
        case .pipe: throw .notRegularFile(path: path, kind: "a pipe")
        case .socket: throw .notRegularFile(path: path, kind: "a socket")
        default: throw .notRegularFile(path: path, kind: "a device")
        }
    }
}
