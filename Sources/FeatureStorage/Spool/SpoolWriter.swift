import FeatureModel

/// Appends clips to one file of a spool. Each worker has a writer, and so a file, of its own.
///
/// A clip becomes one or more records of rows and, once it is complete, a record that says so: what has no such record
/// does not count. When `finish` or `fail` returns, the operating system has the clip, so that a killed program loses
/// only the clips in work. Who calls `Spool.synchronize` now and then brings it to the disk, so that a power cut loses
/// little more; a writer for whom nobody has done so for two seconds waits until it has done so itself.
package final class SpoolWriter {
    private let number: Int
    private let file: GrowingFile
    private var buffer: ByteBuffer
    /// Bytes of the file that are written.
    private var written: Int
    private var clip = 0
    private var recording = RecordingStamp.absent
    /// Offset in the file of the clip's first record of rows.
    private var firstRecord = 0
    /// Offset in the buffer of the record of rows that is being filled; nil: none.
    private var openRecord: Int?
    private var rowRecords = 0

    private static let pieceSize = 1 << 20
    private static let longestWait = Duration.seconds(2)

    /// - Parameters:
    ///   - file: Where to.
    ///   - number: The file's.
    ///   - length: The file's, in bytes.
    init(_ file: GrowingFile, number: Int, length: Int) {
        self.file = file
        self.number = number
        written = length
        buffer = ByteBuffer(capacity: Self.pieceSize + Self.pieceSize / 4)
    }

    /// Begins a clip.
    ///
    /// - Parameters:
    ///   - clip: Its place in the manifest.
    ///   - recording: Its recording, as it is before it is read.
    package func begin(clip: Int, recording: RecordingStamp = .absent) {
        self.clip = clip
        self.recording = recording
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

    /// Completes the clip. From now on it counts.
    ///
    /// - Throws: `StorageError.system`.
    package func finish(_ finished: FinishedClip) throws(StorageError) -> SpoolPosition {
        if let openRecord { SpoolRecord.seal(at: openRecord, in: &buffer) }
        openRecord = nil
        let offset = SpoolRecord.begin(.finished, clip: clip, in: &buffer)
        buffer.append(UInt64(firstRecord))
        buffer.append(UInt64(rowRecords))
        recording.write(to: &buffer)
        finished.write(to: &buffer)
        return try seal(at: offset)
    }

    /// Records that the clip has failed; rows appended before do not count.
    ///
    /// - Throws: `StorageError.system`.
    package func fail(_ failure: ClipFailure) throws(StorageError) -> SpoolPosition {
        buffer.truncate(to: 0)
        openRecord = nil
        let offset = SpoolRecord.begin(.failed, clip: clip, in: &buffer)
        recording.write(to: &buffer)
        buffer.append(failure.stage.rawValue)
        buffer.append(failure.reason)
        return try seal(at: offset)
    }

    /// Length of the file in bytes.
    var length: Int { written }

    private func flush() throws(StorageError) {
        try file.write(buffer.bytes, at: written)
        written += buffer.count
        buffer.truncate(to: 0)
    }

    private func seal(at offset: Int) throws(StorageError) -> SpoolPosition {
        SpoolRecord.seal(at: offset, in: &buffer)
        let position = SpoolPosition(file: number, offset: written + offset)
        try flush()
        try file.synchronize(ifOlderThan: Self.longestWait)
        return position
    }
}
