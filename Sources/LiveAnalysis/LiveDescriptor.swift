import Concurrency
import FileIO
import Platform

/// An open input or output that is waited for in short turns, so that a request to stop is seen soon.
final class LiveDescriptor: Sendable {
    private let number: Int32
    private let isOwned: Bool

    /// How long a turn is, in milliseconds.
    private static let turn: Int32 = 50
    /// Bytes that a writable pipe takes without blocking.
    private static let writtenBytes = 4096

    /// Opens a file or a named pipe for reading; a pipe need not have a writer yet.
    ///
    /// - Throws: `LiveError.unreadable`.
    init(reading path: String) throws(LiveError) {
        number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw .unreadable(name: path, code: errno) }
        isOwned = true
    }

    /// One that is open already, and is not closed.
    init(number: Int32) {
        self.number = number
        isOwned = false
    }

    deinit { if isOwned { close(number) } }

    /// Whether it is a folder, from which nothing can be read.
    var isFolder: Bool { FileStatus(descriptor: number)?.isFolder ?? false }

    /// Bytes from here to the end of a file; nil: it is not a file, but something that bytes come through.
    var bytesLeft: Int? { fileLength.flatMap { length in offset.map { max(length - $0, 0) } } }

    /// Offset in a file of the next byte that is written; nil: it cannot be overwritten later.
    var rewritableOffset: Int? { fileLength == nil || fcntl(number, F_GETFL) & O_APPEND != 0 ? nil : offset }

    private var offset: Int? {
        let offset = lseek(number, 0, SEEK_CUR)
        return offset >= 0 ? Int(offset) : nil
    }

    /// The length of a file; nil: it is none.
    private var fileLength: Int? { FileStatus(descriptor: number).flatMap { $0.isRegular ? $0.byteCount : nil } }

    /// Reads the available bytes; waits for at least one.
    ///
    /// - Returns: The number of bytes; 0 at the end, and where it was asked to stop.
    /// - Throws: `LiveError.unreadable`, with `name`.
    func receive(
        into bytes: UnsafeMutableRawBufferPointer, name: String, _ cancellation: Cancellation
    ) throws(LiveError) -> Int {
        while !cancellation.isCancelled {
            guard wait(for: POLLIN) else { continue }
            let count = read(number, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            let code = errno
            guard code == EINTR || code == EAGAIN else { throw .unreadable(name: name, code: code) }
        }
        return 0
    }

    /// Writes all bytes, unless it is asked to stop before the reader has taken them. A file takes them always.
    ///
    /// - Returns: False where the reader has closed its end.
    /// - Throws: `LiveError.unwritable`, such as for a full disk.
    func send(_ bytes: UnsafeRawBufferPointer, _ cancellation: Cancellation) throws(LiveError) -> Bool {
        var rest = bytes[...]
        let isFile = fileLength != nil
        while !rest.isEmpty, isFile || !cancellation.isCancelled {
            guard wait(for: POLLOUT) else { continue }
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.writtenBytes))
            let count = write(number, piece.baseAddress, piece.count)
            guard count < 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            let code = errno
            if [EPIPE, ECONNRESET].contains(code) { return false }
            guard code == EINTR || code == EAGAIN else { throw .unwritable(code: code) }
        }
        return true
    }

    /// Overwrites bytes at an offset of a file; the offset of the next write does not change.
    ///
    /// - Throws: `LiveError.unwritable`.
    func replace(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LiveError) {
        do throws(SystemError) { try writeFully(number, bytes, at: offset) } catch {
            throw .unwritable(code: error.code)
        }
    }

    /// Waits until what was written to a file is on the disk; what the disk did not take, the system may say only then.
    ///
    /// - Throws: `LiveError.unwritable`.
    func synchronize() throws(LiveError) {
        guard fileLength != nil, fsync(number) != 0, case let error = SystemError.last, error.isFault else { return }
        throw .unwritable(code: error.code)
    }

    /// Waits for one turn; whether the descriptor is ready, or at its end.
    private func wait(for events: Int32) -> Bool {
        var wanted = pollfd(fd: number, events: Int16(events), revents: 0)
        return poll(&wanted, 1, Self.turn) > 0
    }
}
