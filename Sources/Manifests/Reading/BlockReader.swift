import Checksums
import Foundation

/// The bytes of a regular file, block after block, with their SHA-256.
final class BlockReader {
    /// Bytes asked for at a time.
    static let blockSize = 1 << 18

    let path: String
    /// Bytes read so far.
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
        // Not blocking: opening a FIFO would wait for somebody to write to it.
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

    /// The bytes of the block that have not been taken; empty at its end.
    var unread: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[position..<end]) }

    /// SHA-256, in hexadecimal, of all bytes read so far.
    var sha256: String { hash.finish() }

    /// Takes bytes.
    ///
    /// - Precondition: there are so many unread.
    func advance(_ count: Int = 1) { position += count }

    /// The next byte, which is not taken; nil at the end of the file.
    func peek() throws(ManifestError) -> UInt8? {
        if position == end { guard try fill() else { return nil } }
        return buffer[position]
    }

    /// Reads the next block in place of the one that was taken; false at the end of the file.
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
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .systemError(path: path, operation: "ask for its kind", errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw .isFolder(path: path)
        case S_IFIFO: throw .notRegularFile(path: path, kind: "a pipe")
        case S_IFSOCK: throw .notRegularFile(path: path, kind: "a socket")
        default: throw .notRegularFile(path: path, kind: "a device")
        }
    }
}
