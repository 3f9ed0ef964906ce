import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Appends clips to one file of a spool. Each worker has a writer, and so a file, of its own.
///
/// A clip becomes one or more records of rows and, once it is complete, a record that says so: what has no such record
/// does not count. Records are gathered and written in pieces of about a megabyte.
package final class SpoolWriter {
    private let number: Int
    private let file: FileDescriptor
    private var buffer: ByteBuffer
    /// Bytes of the file that are written.
    private var written = 0
    private var clip = 0
    /// Offset in the file of the clip's first record of rows.
    private var firstRecord = 0
    /// Offset in the buffer of the record of rows that is being filled; nil: none.
    private var openRecord: Int?
    private var rowRecords = 0

    private static let pieceSize = 1 << 20

    init(folder: String, number: Int) throws(StorageError) {
        self.number = number
        file = try FileDescriptor(
            path: Spool.filePath(folder: folder, number: number), flags: O_WRONLY | O_CREAT | O_EXCL,
            operation: "creating the spool file")
        buffer = ByteBuffer(capacity: Self.pieceSize + Self.pieceSize / 4)
    }

    /// Begins a clip.
    package func begin(clip: Int) {
        self.clip = clip
        firstRecord = written + buffer.count
        openRecord = nil
        rowRecords = 0
    }

    /// Appends whole rows to the clip.
    ///
    /// - Throws: `StorageError.system`, such as for a full disk.
    package func append(_ rows: UnsafeBufferPointer<Float>) throws(StorageError) {
        if openRecord == nil {
            openRecord = SpoolRecord.begin(.rows, clip: clip, in: &buffer)
            rowRecords += 1
        }
        buffer.append(UnsafeRawBufferPointer(rows))
        if let openRecord, buffer.count - openRecord >= Self.pieceSize {
            SpoolRecord.seal(at: openRecord, in: &buffer)
            self.openRecord = nil
            try flush()
        }
    }

    /// Completes the clip. It counts as soon as its records are written, which `flush` makes sure of.
    ///
    /// - Throws: `StorageError.system`.
    package func finish(_ finished: FinishedClip) throws(StorageError) -> SpoolPosition {
        if let openRecord { SpoolRecord.seal(at: openRecord, in: &buffer) }
        openRecord = nil
        let offset = SpoolRecord.begin(.finished, clip: clip, in: &buffer)
        buffer.append(UInt64(firstRecord))
        buffer.append(UInt64(rowRecords))
        finished.write(to: &buffer)
        return try seal(at: offset)
    }

    /// Records that the clip has failed; rows appended before do not count.
    ///
    /// - Throws: `StorageError.system`.
    package func fail(_ failure: ClipFailure) throws(StorageError) -> SpoolPosition {
        if firstRecord >= written { buffer.truncate(to: firstRecord - written) } else { buffer.truncate(to: 0) }
        openRecord = nil
        let offset = SpoolRecord.begin(.failed, clip: clip, in: &buffer)
        buffer.append(failure.stage.rawValue)
        buffer.append(failure.reason)
        return try seal(at: offset)
    }

    /// Hands everything gathered to the operating system.
    ///
    /// - Throws: `StorageError.system`.
    package func flush() throws(StorageError) {
        try file.write(buffer.bytes, at: written)
        written += buffer.count
        buffer.truncate(to: 0)
    }

    private func seal(at offset: Int) throws(StorageError) -> SpoolPosition {
        SpoolRecord.seal(at: offset, in: &buffer)
        let position = SpoolPosition(file: number, offset: written + offset)
        if buffer.count >= Self.pieceSize { try flush() }
        return position
    }
}
