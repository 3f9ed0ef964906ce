import FeatureModel
import FileIO
import Platform

/// A clip that the operating system has.
package struct WrittenClip: Hashable, Sendable {
    /// Its index in the manifest.
    package let clip: Int
    /// Where it is: `.spooled`, or `.failed`.
    package let entry: SpoolEntry
    /// Seconds of audio; nil: it has failed.
    package let seconds: Double?
}

/// Finished clips that are still in memory, so that one call writes many small ones.
///
/// Adjacent rows in `InPlaceRows` are written together, all rows before the records that count them. After an
/// error, clips are written one by one up to the first that cannot be.
struct GatheredClips: ~Copyable {
    /// A clip whose records are complete: those of its rows, if they are in records, and the one that says that it is done.
    private struct Recorded {
        let clip: Int
        /// Offset in `records` of the last record, and of the end.
        let (last, end): (Int, Int)
        /// Nil: it has failed.
        let rows: Int?
        let seconds: Double?
    }

    /// A clip whose rows will be written to `InPlaceRows`. Its record is made after that.
    private struct Unplaced {
        let clip: Int
        let recording: FileStamp
        let finished: FinishedClip
        let checksum: Checksum128
        /// The range of its rows in `rows`.
        let bytes: Range<Int>
        /// Takes its rows of the feature file; nil: it has none.
        let take: () -> Range<Int>?
    }

    private var records = ByteBuffer(capacity: 1 << 16)
    private var recorded: [Recorded] = []
    private var rows = ByteBuffer(capacity: 1 << 16)
    private var unplaced: [Unplaced] = []
    /// When the first of the clips was finished.
    private var since = ContinuousClock.now

    var isEmpty: Bool { recorded.isEmpty && unplaced.isEmpty }
    /// Bytes in memory, without the records that are made when rows are written.
    var byteCount: Int { records.count + rows.count }
    /// How long the first of the clips has waited.
    var age: Duration { isEmpty ? .zero : since.duration(to: .now) }

    /// Adds a clip of sealed records of rows, none or more, and seals the one that says that it is done.
    ///
    /// - Parameters:
    ///   - number: The number of the file.
    ///   - length: Bytes of the file before these clips.
    mutating func add(
        _ finished: FinishedClip, clip: Int, recording: FileStamp, rowRecords: UnsafeRawBufferPointer, count: Int,
        file number: Int, length: Int
    ) {
        begin()
        let first = length + records.count
        records.append(rowRecords)
        record(finished, clip, recording, .records(file: number, offset: first, count: count))
    }

    /// Adds a clip whose rows are to be written to `InPlaceRows`.
    mutating func add(
        _ finished: FinishedClip, clip: Int, recording: FileStamp, rows bytes: UnsafeRawBufferPointer,
        take: @escaping () -> Range<Int>?
    ) {
        begin()
        var hash = XXH3Hash128()
        hash.update(bytes)
        let start = rows.count
        rows.append(bytes)
        unplaced.append(
            Unplaced(
                clip: clip, recording: recording, finished: finished, checksum: hash.finish(),
                bytes: start..<rows.count, take: take))
    }

    /// Adds a clip that has failed.
    mutating func add(_ failure: ClipFailure, clip: Int, recording: FileStamp) {
        begin()
        let offset = SpoolRecord.start(failure, clip: clip, recording, in: &records)
        SpoolRecord.seal(at: offset, in: &records)
        recorded.append(Recorded(clip: clip, last: offset, end: records.count, rows: nil, seconds: nil))
    }

    /// Writes all clips, and forgets them.
    ///
    /// - Parameters:
    ///   - file: Takes the records.
    ///   - number: Its number.
    ///   - length: Its length in bytes, which grows.
    ///   - inPlace: Takes the rows of clips that have a range reserved there.
    ///   - age: How long ago the rows may have been synced to the disk last.
    ///   - written: The clips that were written are appended to it.
    /// - Throws: `StorageError.system`, for example if the disk is full, once it has written what can be.
    mutating func write(
        to file: GrowingFile, number: Int, length: inout Int, rows inPlace: InPlaceRows?, age: Duration,
        written: inout [WrittenClip]
    ) throws(StorageError) {
        var failure: StorageError?
        if let inPlace, !unplaced.isEmpty {
            do throws(StorageError) { try write(to: inPlace, number: number, length: length) } catch { failure = error }
            do throws(StorageError) { try inPlace.synchronize(ifOlderThan: age) } catch { failure = failure ?? error }
        }
        do throws(StorageError) {
            try writeRecords(to: file, number: number, length: &length, written: &written)
        } catch {
            failure = failure ?? error
        }
        records.truncate(to: 0)
        recorded.removeAll(keepingCapacity: true)
        rows.truncate(to: 0)
        unplaced.removeAll(keepingCapacity: true)
        if let failure { throw failure }
    }

    private mutating func begin() { if isEmpty { since = .now } }

    private mutating func record(
        _ finished: FinishedClip, _ clip: Int, _ recording: FileStamp, _ rows: SpooledClip.Rows
    ) {
        let offset = SpoolRecord.start(.finished, clip: clip, in: &records)
        SpooledClip.write(finished, recording: recording, rows: rows, to: &records)
        SpoolRecord.seal(at: offset, in: &records)
        recorded.append(
            Recorded(
                clip: clip, last: offset, end: records.count, rows: finished.statistics.count,
                seconds: finished.duration))
    }

    /// Writes rows to `InPlaceRows`, and makes the records of their clips. The rows of a clip without a reserved range become
    /// records, too.
    private mutating func write(to inPlace: InPlaceRows, number: Int, length: Int) throws(StorageError) {
        /// Clips whose rows are adjacent.
        var (run, first, next) = (0..<0, 0, 0)
        for (index, clip) in unplaced.enumerated() {
            let own = clip.take()
            let count = clip.bytes.count / inPlace.rowBytes
            let fits = own.map { count <= $0.count } ?? false
            if !fits || own?.lowerBound != next || run.isEmpty {
                try write(run, at: first, to: inPlace, number, length)
                (run, first) = (index..<index, own?.lowerBound ?? 0)
            }
            if fits {
                run = run.lowerBound..<index + 1
                next = (own?.lowerBound ?? 0) + count
            } else {
                unplace(clip, number, length)
                run = index + 1..<index + 1
            }
        }
        try write(run, at: first, to: inPlace, number, length)
    }

    private mutating func write(
        _ run: Range<Int>, at row: Int, to inPlace: InPlaceRows, _ number: Int, _ length: Int
    ) throws(StorageError) {
        guard !run.isEmpty else { return }
        let bytes = unplaced[run.lowerBound].bytes.lowerBound..<unplaced[run.upperBound - 1].bytes.upperBound
        do throws(StorageError) {
            try inPlace.write(UnsafeRawBufferPointer(rebasing: rows.bytes[bytes]), at: row)
        } catch {
            guard run.count == 1 else {
                var row = row
                for index in run {
                    try write(index..<index + 1, at: row, to: inPlace, number, length)
                    row += unplaced[index].bytes.count / inPlace.rowBytes
                }
                return
            }
            guard case .system(_, _, EFBIG) = error else { throw error }
            // The header of an earlier recording claims a length that no file can have, which puts this clip far after it.
            return unplace(unplaced[run.lowerBound], number, length)
        }
        var row = row
        for index in run {
            let clip = unplaced[index]
            record(
                clip.finished, clip.clip, clip.recording, .inPlace(InPlaceClip(row: row, checksum: clip.checksum)))
            row += clip.bytes.count / inPlace.rowBytes
        }
    }

    /// Gives a clip the records of one without a reserved range.
    private mutating func unplace(_ clip: Unplaced, _ number: Int, _ length: Int) {
        let first = records.count
        var count = 0
        if !clip.bytes.isEmpty {
            _ = SpoolRecord.start(.rows, clip: clip.clip, in: &records)
            records.append(UnsafeRawBufferPointer(rebasing: rows.bytes[clip.bytes]))
            SpoolRecord.seal(at: first, in: &records)
            count = 1
        }
        record(clip.finished, clip.clip, clip.recording, .records(file: number, offset: length + first, count: count))
    }

    private func writeRecords(
        to file: GrowingFile, number: Int, length: inout Int, written: inout [WrittenClip]
    ) throws(StorageError) {
        guard !recorded.isEmpty else { return }
        let start = length
        func count(_ clip: Recorded) {
            let position = SpoolPosition(file: number, offset: start + clip.last)
            written.append(
                WrittenClip(
                    clip: clip.clip, entry: clip.rows.map { .spooled(position, rows: $0) } ?? .failed(position),
                    seconds: clip.seconds))
        }
        do throws(StorageError) { try file.write(records.bytes, at: start) } catch {
            var begin = 0
            for clip in recorded {
                try file.write(UnsafeRawBufferPointer(rebasing: records.bytes[begin..<clip.end]), at: start + begin)
                count(clip)
                begin = clip.end
                length = start + begin
            }
            return
        }
        for clip in recorded { count(clip) }
        length = start + records.count
    }
}
