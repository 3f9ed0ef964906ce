import Checksums
import FeatureModel
import FileIO
import Platform

/// Appends clips to one file of a spool. Each worker has a writer, and so a file, of its own.
///
/// A clip becomes one or more records of rows and, once it is complete, a record that says so: what has no such record
/// does not count. A clip whose rows have a place in the feature file already (`place`) writes them there, and has one record
/// alone. When `finish` or `fail` returns, the operating system has the clip, so that a killed program loses
/// only the clips in work. Who calls `Spool.synchronize` and `InPlaceRows.synchronize` now and then brings it to the disk, so
/// that a power cut loses little more; a writer for whom nobody has done so for two seconds waits for the disk itself.
package final class SpoolWriter {
    private let number: Int
    private let file: GrowingFile
    private var buffer: ByteBuffer
    /// Bytes of the file that are written.
    private var written: Int
    private var clip = 0
    private var recording = FileStamp.absent
    /// Offset in the file of the clip's first record of rows.
    private var firstRecord = 0
    /// Offset in the buffer of the record of rows that is being filled; nil: none.
    private var openRecord: Int?
    private var rowRecords = 0
    /// Where rows go whose place is known; nil: nowhere.
    private let rows: InPlaceRows?
    /// The clip's place among them; nil: it has none.
    private var placement: Placement?
    private var hash = XXH3Hash128()

    private struct Placement {
        /// Says which rows are the clip's; nil: none. Asked when the first row is written.
        let find: () -> Range<Int>?
        /// The answer.
        var rows: Range<Int>?
        /// Rows that are written.
        var written = 0
    }

    private static let pieceSize = 1 << 20
    private static let longestWait = Duration.seconds(2)

    /// - Parameters:
    ///   - file: Where to.
    ///   - number: The file's.
    ///   - length: The file's, in bytes.
    ///   - rows: Where rows go whose place is known; nil: to `file`, as all others.
    init(_ file: GrowingFile, number: Int, length: Int, rows: InPlaceRows?) {
        self.file = file
        self.rows = rows
        self.number = number
        written = length
        buffer = ByteBuffer(capacity: Self.pieceSize + Self.pieceSize / 4)
    }

    /// Begins a clip.
    ///
    /// - Parameters:
    ///   - clip: Its place in the manifest.
    ///   - recording: Its recording, as it is before it is read.
    package func begin(clip: Int, recording: FileStamp = .absent) {
        self.clip = clip
        self.recording = recording
        firstRecord = written + buffer.count
        openRecord = nil
        rowRecords = 0
        placement = nil
    }

    /// Says, before the first row of the clip, which rows of the feature file its rows will be.
    ///
    /// - Parameter find: Asked once, when the first row is written; nil: it is not known. Should there be more rows than that,
    ///   they go where all others do.
    package func place(_ find: @escaping () -> Range<Int>?) {
        guard rows != nil else { return }
        placement = Placement(find: find)
        hash.reset()
    }

    /// Appends whole rows to the clip.
    ///
    /// - Throws: `StorageError.system`, such as for a full disk.
    package func append(_ rows: UnsafeBufferPointer<Float>) throws(StorageError) {
        if placement != nil {
            buffer.append(UnsafeRawBufferPointer(rows))
            if buffer.count >= Self.pieceSize { try writePlaced() }
            return
        }
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

    /// Hands the rows so far over to the operating system, so that they outlive the program, and with them how far the sound
    /// is; without it, a piece of a megabyte is waited for.
    ///
    /// - Throws: `StorageError.system`.
    package func keepRows(_ mark: Checkpoint) throws(StorageError) {
        if let openRecord { SpoolRecord.seal(at: openRecord, in: &buffer) }
        openRecord = nil
        let offset = SpoolRecord.begin(.mark, clip: clip, in: &buffer)
        mark.write(to: &buffer)
        SpoolRecord.seal(at: offset, in: &buffer)
        // What could not be written before is tried again.
        try flush()
    }

    /// Completes the clip. From now on it counts.
    ///
    /// - Throws: `StorageError.system`.
    package func finish(_ finished: FinishedClip) throws(StorageError) -> SpoolPosition {
        if placement != nil { try writePlaced() }
        if let openRecord { SpoolRecord.seal(at: openRecord, in: &buffer) }
        openRecord = nil
        let placed = placement?.rows.map { InPlaceClip(row: $0.lowerBound, checksum: hash.finish()) }
        if placed != nil { try rows?.synchronize(ifOlderThan: Self.longestWait) }
        let offset = SpoolRecord.begin(.finished, clip: clip, in: &buffer)
        buffer.append(UInt64(placed?.row ?? firstRecord))
        buffer.append(UInt64(placed == nil ? rowRecords : SpooledClip.placedMark))
        recording.write(to: &buffer)
        finished.write(to: &buffer)
        placed?.write(to: &buffer)
        finished.defects.write(to: &buffer)
        return try seal(at: offset)
    }

    /// Records that the clip has failed; rows appended before do not count.
    ///
    /// - Throws: `StorageError.system`.
    package func fail(_ failure: ClipFailure) throws(StorageError) -> SpoolPosition {
        buffer.truncate(to: 0)
        openRecord = nil
        placement = nil
        let offset = SpoolRecord.begin(.failed, clip: clip, in: &buffer)
        recording.write(to: &buffer)
        buffer.append(failure.stage.rawValue)
        buffer.append(failure.kind.rawValue)
        buffer.append(failure.reason)
        return try seal(at: offset)
    }

    /// Length of the file in bytes.
    var length: Int { written }

    /// Writes the rows in the buffer to their place; where they have none, to the writer's own file.
    private func writePlaced() throws(StorageError) {
        guard let rows, var placement else { return }
        placement.rows = placement.rows ?? placement.find()
        let count = buffer.count / rows.rowBytes
        guard let own = placement.rows, placement.written + count <= own.count else {
            return try giveUpPlace(rows, placement)
        }
        do throws(StorageError) {
            try rows.write(buffer.bytes, at: own.lowerBound + placement.written)
        } catch .system(_, _, EFBIG) {
            // Far behind all others, since the header of a recording before it claims a length that no file can have.
            return try giveUpPlace(rows, placement)
        }
        hash.update(buffer.bytes)
        buffer.truncate(to: 0)
        placement.written += count
        self.placement = placement
    }

    /// Takes back the rows that were written to a place, and writes them and those in the buffer as all others.
    private func giveUpPlace(_ rows: InPlaceRows, _ placement: Placement) throws(StorageError) {
        self.placement = nil
        var waiting = ByteBuffer(capacity: max(buffer.count, Self.pieceSize))
        waiting.append(buffer.bytes)
        buffer.truncate(to: 0)
        var piece = ByteBuffer(capacity: Self.pieceSize)
        let most = max(1, Self.pieceSize / rows.rowBytes)
        var found = XXH3Hash128()
        for start in stride(from: 0, to: placement.written, by: most) {
            let count = min(most, placement.written - start)
            try piece.fill(count: count * rows.rowBytes) { bytes throws(StorageError) in
                try rows.read(into: bytes, at: (placement.rows?.lowerBound ?? 0) + start)
            }
            found.update(piece.bytes)
            try append(piece.bytes)
        }
        guard placement.written == 0 || found.finish() == hash.finish() else {
            throw .damaged(path: rows.path, found: "the rows just written are not what was written")
        }
        try append(waiting.bytes)
    }

    private func append(_ rows: UnsafeRawBufferPointer) throws(StorageError) {
        guard !rows.isEmpty else { return }
        try append(rows.assumingMemoryBound(to: Float.self))
    }

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
