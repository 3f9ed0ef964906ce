import Checksums
import FileIO
import Platform

/// The bytes of a regular file, block by block, with their SHA-256.
final class BlockReader {
    /// Bytes asked for at a time.
    static let blockSize = 1 << 18

    let path: String
    private(set) var byteCount = 0
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var position = 0
    private var end = 0
    private var hash = SHA256Hash()
    /// The file's first line without its end, or the first part of a long one.
    private(set) var firstLine: [UInt8] = []

    /// Opens the file, which has to be a regular one.
    init(path: String) throws(ManifestError) {
        // Not blocking: opening a FIFO would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .notFound(path: path) : .systemError(path: path, operation: "open it", errno)
        }
        do {
            try Self.requireRegularFile(descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        buffer = .allocate(byteCount: Self.blockSize, alignment: 16)
        guard try fill() else { return }
        if let content = ForeignContent(unread) { throw .otherContent(path: path, found: content) }
        if unread.starts(with: [0xEF, 0xBB, 0xBF]) { advance(3) }
        firstLine = Array(unread.prefix(1 << 16).prefix { $0 != Byte.lineFeed && $0 != Byte.carriageReturn })
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// The unread bytes of the block; empty at its end.
    var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[position..<end]) }

    /// SHA-256, in hexadecimal, of all bytes read so far.
    var sha256: String { hash.finish() }

    /// Advances past bytes.
    ///
    /// - Precondition: There are at least `count` unread bytes.
    func advance(_ count: Int = 1) { position += count }

    /// The next byte, without advancing; nil at the end of the file.
    func peek() throws(ManifestError) -> UInt8? {
        if position == end { guard try fill() else { return nil } }
        return buffer[position]
    }

    /// Reads the next block over the current one; false at the end of the file.
    func fill() throws(ManifestError) -> Bool {
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .systemError(path: path, operation: "read it", errno) }
            position = 0
            end = count
            byteCount += count
            hash.update(unread)
            return count > 0
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
