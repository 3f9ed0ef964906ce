import Platform

/// Reads a file or a pipe to its end. Waits a limited time for a writer of a named pipe, so that a wrong path is an error, and, where that
/// is asked for, for its next bytes.
package final class PatientReader {
    /// Why a file is not read to its end.
    package enum Failure: Error, Hashable, Sendable {
        case system(SystemError)
        /// Nobody writes to the pipe.
        case noWriter(seconds: Int)
        /// Somebody has opened the pipe, and writes nothing.
        case silence(seconds: Int)
    }

    /// Maximum times to wait, in ms.
    private static let patience = (writer: 2000, bytes: 30_000)
    private let waitsForBytes: Bool
    private let file: SharedFile
    private let isPipe: Bool
    private var hasBytes = false
    private var waited = 0

    package let status: FileStatus

    /// - Parameter waitsForBytes: Whether a writer may take any time, as a program that computes what it writes.
    package init(path: String, waitsForBytes: Bool = false) throws(Failure) {
        self.waitsForBytes = waitsForBytes
        do throws(SystemError) { file = try SharedFile(path: path) } catch { throw .system(error) }
        guard let status = FileStatus(descriptor: file.descriptor) else { throw .system(.last) }
        self.status = status
        isPipe = status.kind == .pipe
    }

    /// The next bytes, at most `maximum`; none at the end.
    package func next(_ maximum: Int) throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: maximum)
        while true {
            let count = read(file.descriptor, &buffer, maximum)
            if count > 0 {
                (hasBytes, waited) = (true, 0)
                buffer.removeLast(maximum - count)
                return buffer
            }
            if count == 0, !isPipe || hasBytes { return [] }
            guard count == 0 || errno == EAGAIN || errno == EINTR else { throw .system(.last) }
            try wait(hasWriter: count < 0)
        }
    }

    private func wait(hasWriter: Bool) throws(Failure) {
        guard hasWriter && waitsForBytes || waited < (hasWriter ? Self.patience.bytes : Self.patience.writer) else {
            throw hasWriter ? .silence(seconds: waited / 1000) : .noWriter(seconds: waited / 1000)
        }
        // Without a writer, polling would return at once.
        var descriptor = pollfd(fd: file.descriptor, events: Int16(POLLIN), revents: 0)
        if hasWriter { _ = poll(&descriptor, 1, 20) } else { usleep(20_000) }
        waited += 20
    }

    /// All bytes, as soon as they are written; those after the first `maximum` are not read.
    package static func contents(of path: String, maximum: Int) throws(Failure) -> [UInt8] {
        let reader = try PatientReader(path: path, waitsForBytes: true)
        var bytes: [UInt8] = []
        while bytes.count < maximum {
            let piece = try reader.next(min(1 << 16, maximum - bytes.count))
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }
}

extension PatientReader.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .noWriter(let seconds): "expected a writer of the pipe, found none for \(seconds) s"
        case .silence(let seconds): "expected text from the pipe, found none for \(seconds) s"
        }
    }
}
