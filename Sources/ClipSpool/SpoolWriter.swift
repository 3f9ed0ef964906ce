import FeatureModel
import FileIO
import Platform

/// Appends clips to one file of a spool. Each worker has a writer, and so a file, of its own.
///
/// A clip becomes one or more records of rows and, once it is complete, a record that says so; without that record it does not
/// count. A clip whose rows of the feature file are reserved (`reserve`) writes them to `InPlaceRows`, and has this one record.
/// When `finish` or `fail` returns, the operating system has the clip, so that a killed program loses only the clips being
/// read. `gather` keeps small clips in memory until they are 256 KiB; `flush` writes them, and has to be called when the
/// first has waited for long. Regular calls of `Spool.synchronize` and `InPlaceRows.synchronize` sync what is written to the
/// disk, so that a power cut loses little more; after two seconds without one, the writer syncs its file itself.
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
    /// Offset in the buffer of the record of rows that is open; nil: none.
    private var openRecord: Int?
    private var rowRecords = 0
    /// Takes rows that are reserved; nil: none are.
    private let rows: InPlaceRows?
    /// The clip's rows there; nil: it has none.
    private var reservation: Reservation?
    private var hash = XXH3Hash128()
    private var gathered = GatheredClips()
    private var done: [WrittenClip] = []

    private struct Reservation {
        /// Takes the clip's rows; nil: it has none. Called when the first row is written.
        let take: () -> Range<Int>?
        /// What `take` returned.
        var rows: Range<Int>?
        /// Rows that are written.
        var written = 0
    }

    private static let pieceSize = 1 << 20
    private static let longestWait = Duration.seconds(2)
    /// Bytes of clips that are gathered, and of the rows of one of them: larger ones gain less than copying them costs.
    package static let (gatheredSize, gatheredClipSize) = (256 << 10, 64 << 10)

    /// - Parameters:
    ///   - file: Takes the records.
    ///   - number: Its number.
    ///   - length: Its length in bytes.
    ///   - rows: Takes rows that are reserved; nil: none are.
    init(_ file: GrowingFile, number: Int, length: Int, rows: InPlaceRows?) {
        self.file = file
        self.rows = rows
        self.number = number
        written = length
        buffer = ByteBuffer(capacity: Self.pieceSize + Self.pieceSize / 4)
    }

    /// Starts a clip.
    ///
    /// - Parameters:
    ///   - clip: Its index in the manifest.
    ///   - recording: Its recording, as it is before it is read.
    package func start(clip: Int, recording: FileStamp = .absent) {
        self.clip = clip
        self.recording = recording
        firstRecord = written + buffer.count
        openRecord = nil
        rowRecords = 0
        reservation = nil
    }

    /// Reserves, before the first row of the clip, its rows of the feature file.
    ///
    /// - Parameter take: Returns them; called once, when the first row is written. Nil: none are reserved. If the clip turns out
    ///   to have more rows, all of them go to the spool.
    package func reserve(_ take: @escaping () -> Range<Int>?) {
        guard rows != nil else { return }
        reservation = Reservation(take: take)
        hash.reset()
    }

    /// Appends whole rows to the clip.
    ///
    /// - Throws: `StorageError.system`, for example if the disk is full.
    package func append(_ rows: UnsafeBufferPointer<Float>) throws(StorageError) {
        if reservation != nil {
            buffer.append(UnsafeRawBufferPointer(rows))
            if buffer.count >= Self.pieceSize { try writeInPlace() }
            return
        }
        if openRecord == nil {
            openRecord = SpoolRecord.start(.rows, clip: clip, in: &buffer)
            rowRecords += 1
        }
        buffer.append(UnsafeRawBufferPointer(rows))
        if let openRecord, buffer.count - openRecord >= Self.pieceSize {
            sealRows()
            try flush(ifOlderThan: .zero)
            try flush()
        }
    }

    /// Hands the rows so far over to the operating system, so that they outlive the program, with a checkpoint. Otherwise rows are
    /// handed over a megabyte at a time.
    ///
    /// - Throws: `StorageError.system`.
    package func handOver(_ checkpoint: Checkpoint) throws(StorageError) {
        try flush(ifOlderThan: .zero)
        sealRows()
        let offset = SpoolRecord.start(.mark, clip: clip, in: &buffer)
        checkpoint.write(to: &buffer)
        SpoolRecord.seal(at: offset, in: &buffer)
        // Tries again what could not be written before.
        try flush()
    }

    /// Completes the clip. From now on it counts.
    ///
    /// - Throws: `StorageError.system`.
    package func finish(_ finished: FinishedClip) throws(StorageError) -> SpoolPosition {
        try flush(ifOlderThan: .zero)
        if reservation != nil { try writeInPlace() }
        sealRows()
        let inPlace = reservation?.rows.map { InPlaceClip(row: $0.lowerBound, checksum: hash.finish()) }
        if inPlace != nil { try rows?.synchronize(ifOlderThan: Self.longestWait) }
        let offset = SpoolRecord.start(.finished, clip: clip, in: &buffer)
        SpooledClip.write(
            finished, recording: recording,
            rows: inPlace.map { .inPlace($0) } ?? .records(file: number, offset: firstRecord, count: rowRecords),
            to: &buffer)
        return try seal(at: offset)
    }

    /// Completes the clip, which counts once it is written: `takeWritten` returns it then.
    ///
    /// - Throws: `StorageError.system`.
    package func gather(_ finished: FinishedClip) throws(StorageError) {
        let isInMemory = firstRecord == written && reservation?.written ?? 0 == 0
        guard isInMemory, buffer.count <= Self.gatheredClipSize else {
            let position = try finish(finished)
            done.append(
                WrittenClip(
                    clip: clip, entry: .spooled(position, rows: finished.statistics.count), seconds: finished.duration))
            return
        }
        if let reservation {
            gathered.add(finished, clip: clip, recording: recording, rows: buffer.bytes, take: reservation.take)
        } else {
            sealRows()
            gathered.add(
                finished, clip: clip, recording: recording, rowRecords: buffer.bytes, count: rowRecords, file: number,
                length: written)
        }
        forget()
        try flushFull()
    }

    /// Records that the clip has failed, which counts once it is written; rows appended before do not count.
    ///
    /// - Throws: `StorageError.system`.
    package func gather(_ failure: ClipFailure) throws(StorageError) {
        forget()
        gathered.add(failure, clip: clip, recording: recording)
        try flushFull()
    }

    private func flushFull() throws(StorageError) {
        if gathered.byteCount >= Self.gatheredSize { try flush(ifOlderThan: .zero) }
    }

    /// Writes the gathered clips if the first has waited for `age`.
    ///
    /// - Throws: `StorageError.system`, once it has written what can be.
    package func flush(ifOlderThan age: Duration) throws(StorageError) {
        guard !gathered.isEmpty, gathered.age >= age else { return }
        try gathered.write(
            to: file, number: number, length: &written, rows: rows, age: Self.longestWait, written: &done)
        // Nothing of a clip being read is in the file: before its first piece, gathered clips are written.
        firstRecord = written
        try file.synchronize(ifOlderThan: Self.longestWait)
    }

    /// Writes the gathered clips if they are half of those that are written together: the rows of the next ones lie elsewhere.
    ///
    /// - Throws: `StorageError.system`, once it has written what can be.
    package func flushMany() throws(StorageError) {
        if gathered.byteCount >= Self.gatheredSize / 2 { try flush(ifOlderThan: .zero) }
    }

    /// The gathered clips that the operating system has had since the last call.
    package func takeWritten() -> [WrittenClip] {
        defer { done.removeAll(keepingCapacity: true) }
        return done
    }

    /// Records that the clip has failed; rows appended before do not count.
    ///
    /// - Throws: `StorageError.system`.
    package func fail(_ failure: ClipFailure) throws(StorageError) -> SpoolPosition {
        try flush(ifOlderThan: .zero)
        forget()
        return try seal(at: SpoolRecord.start(failure, clip: clip, recording, in: &buffer))
    }

    /// Forgets the clip, as far as it is in memory: what is written of it does not count.
    package func forget() {
        buffer.truncate(to: 0)
        openRecord = nil
        reservation = nil
    }

    /// Length of the file in bytes.
    var length: Int { written }

    /// Writes the rows in the buffer to those that are reserved; if none are, to the writer's own file.
    private func writeInPlace() throws(StorageError) {
        guard let rows, var reservation else { return }
        try flush(ifOlderThan: .zero)
        reservation.rows = reservation.rows ?? reservation.take()
        let count = buffer.count / rows.rowBytes
        guard let own = reservation.rows, reservation.written + count <= own.count else {
            return try release(reservation, of: rows)
        }
        do throws(StorageError) {
            try rows.write(buffer.bytes, at: own.lowerBound + reservation.written)
        } catch .system(_, _, EFBIG) {
            // The header of an earlier recording claims a length that no file can have, which puts this clip far after it.
            return try release(reservation, of: rows)
        }
        hash.update(buffer.bytes)
        buffer.truncate(to: 0)
        reservation.written += count
        self.reservation = reservation
    }

    /// Moves the rows that were written to `InPlaceRows`, and those in the buffer, to the writer's own file.
    private func release(_ reservation: Reservation, of rows: InPlaceRows) throws(StorageError) {
        self.reservation = nil
        var waiting = ByteBuffer(capacity: max(buffer.count, Self.pieceSize))
        waiting.append(buffer.bytes)
        buffer.truncate(to: 0)
        var piece = ByteBuffer(capacity: Self.pieceSize)
        let maximumCount = max(1, Self.pieceSize / rows.rowBytes)
        var found = XXH3Hash128()
        for start in stride(from: 0, to: reservation.written, by: maximumCount) {
            let count = min(maximumCount, reservation.written - start)
            try piece.fill(count: count * rows.rowBytes) { bytes throws(StorageError) in
                try rows.read(into: bytes, at: (reservation.rows?.lowerBound ?? 0) + start)
            }
            found.update(piece.bytes)
            try append(piece.bytes)
        }
        guard reservation.written == 0 || found.finish() == hash.finish() else {
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

    /// Completes the record of rows that is open.
    private func sealRows() {
        if let openRecord { SpoolRecord.seal(at: openRecord, in: &buffer) }
        openRecord = nil
    }

    private func seal(at offset: Int) throws(StorageError) -> SpoolPosition {
        SpoolRecord.seal(at: offset, in: &buffer)
        let position = SpoolPosition(file: number, offset: written + offset)
        try flush()
        try file.synchronize(ifOlderThan: Self.longestWait)
        return position
    }
}
