import FileIO
import Platform

/// A file that libsndfile writes through this type, so that no error of the system is lost: libsndfile passes some on without
/// their code, and drops those of a header that it writes when it closes the file.
///
/// The first error is final: nothing is written after it, and `error` keeps it.
final class VirtualOutput: VirtualFile {
    /// The first error of the system; nil: everything was written.
    private(set) var error: SystemError?
    private let descriptor: Int32
    /// Bytes that wait to be written at `start`: libsndfile writes 8 KiB and less at a time.
    private var waiting = ByteBuffer(capacity: VirtualOutput.bufferSize)
    private var start = 0
    /// Length of the file in bytes; the last of them may still be in memory.
    private var length = 0

    private static let bufferSize = 1 << 18

    /// - Parameter descriptor: An empty file, open for reading and writing; has to outlive this value.
    init(descriptor: Int32) { self.descriptor = descriptor }

    override var size: Int { length }

    /// Writes what waits, and compares the length of the file.
    ///
    /// - Throws: The first error of all.
    func finish() throws(SystemError) {
        flush()
        // This also finds bytes that the file system has silently dropped.
        if error == nil, let status = FileStatus(descriptor: descriptor), status.byteCount != length {
            fail(SystemError(code: EIO))
        }
        if let error { throw error }
    }

    /// Sets the time of writing to 0 in a chunk of peak values: equal samples would not give equal bytes. libsndfile writes that
    /// chunk to RF64 even where it was asked not to.
    ///
    /// Has to be called after `sf_close` and before `finish`.
    func eraseTimeOfPeaks() {
        guard let peaks = ChunkWalk(self).find("PEAK") else { return }
        // A version precedes it.
        position = peaks.start + 4
        let zeros: [UInt8] = [0, 0, 0, 0]
        _ = zeros.withUnsafeBytes { write($0) }
    }

    private func fail(_ refused: SystemError) {
        if error == nil { error = refused }
        waiting.truncate(to: 0)
    }

    override func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard error == nil else { return 0 }
        if position != start + waiting.count || waiting.count + bytes.count > Self.bufferSize { flush() }
        if waiting.count == 0 { start = position }
        if bytes.count < Self.bufferSize { waiting.append(bytes) } else { send(bytes, at: position) }
        guard error == nil else { return 0 }
        position += bytes.count
        length = max(length, position)
        return bytes.count
    }

    private func flush() {
        if waiting.count > 0 { send(waiting.bytes, at: start) }
        waiting.truncate(to: 0)
    }

    private func send(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard error == nil else { return }
        do throws(SystemError) { try writeFully(descriptor, bytes, at: offset) } catch { fail(error) }
    }

    override func read(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        flush()
        guard error == nil else { return 0 }
        guard let found = readFully(descriptor, bytes, at: position, minimum: count, maximum: count) else {
            fail(.last)
            return 0
        }
        position += found
        return found
    }
}

extension VirtualOutput: HeaderSource {
    func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        position = offset
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
            found = buffer.baseAddress.map { read(into: $0, count) } ?? 0
        }
        return bytes.count == count ? bytes : nil
    }
}
