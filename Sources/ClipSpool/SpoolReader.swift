import FeatureModel
import FileIO
import Platform

/// Reads clips back from a spool, every record's checksum checked. Each worker has a reader of its own.
package final class SpoolReader {
    private let files: SpoolFiles
    private var buffer = ByteBuffer(capacity: 1 << 16)
    private var window = SpoolWindow()

    private static let pieceSize = 1 << 20

    init(files: SpoolFiles) { self.files = files }

    /// Says which clips will be read next, in their order: adjacent ones are read by one call.
    ///
    /// - Parameter bytes: Bytes of the rows of each clip that will be read with it, and are in the spool's file: 0 if only the record is.
    package func expect(_ clips: [(position: SpoolPosition, bytes: Int)]) {
        window.expect(
            clips.map {
                SpoolWindow.Expected(
                    position: $0.position, before: $0.bytes > 0 ? $0.bytes + SpoolRecord.headerSize : 0)
            })
    }

    /// Reads a whole record, and checks it.
    ///
    /// - Throws: `StorageError.damaged` if there is no intact record there.
    private func record(_ file: SpoolFile, _ number: Int, at offset: Int) throws(StorageError) -> SpoolRecord.Header {
        if try window.copy(SpoolPosition(file: number, offset: offset), of: file, into: &buffer),
            let header = SpoolRecord.header(buffer.bytes), SpoolRecord.checksum(of: buffer.bytes) == header.checksum
        {
            return header
        }
        return try file.read(at: offset, into: &buffer)
    }

    /// Reads a record of a kind.
    ///
    /// - Throws: `StorageError.damaged` if there is no intact record of this kind there.
    private func record(
        _ kind: SpoolRecord.Kind, at position: SpoolPosition
    ) throws(StorageError) -> (file: SpoolFile, payload: ByteCursor) {
        let file = try files.file(position.file)
        guard try record(file, position.file, at: position.offset).kind == kind else {
            throw .damaged(path: file.path, found: "no record of the expected kind at byte \(position.offset)")
        }
        return (file, payload)
    }

    /// A finished clip, and the location of its rows.
    ///
    /// - Throws: `StorageError`, also if there is no finished clip at that position.
    package func finished(at position: SpoolPosition) throws(StorageError) -> SpooledClip {
        var (file, cursor) = try record(.finished, at: position)
        guard let clip = SpooledClip(&cursor, file: files.fileOfRows(position.file)) else {
            throw .damaged(path: file.path, found: "no finished clip is recorded at byte \(position.offset)")
        }
        return clip
    }

    /// Why a clip has failed.
    ///
    /// - Throws: `StorageError`, also if the record there is not that of a failure.
    package func failure(at position: SpoolPosition) throws(StorageError) -> FailureRecord {
        try failed(at: position).failure
    }

    /// Why a clip has failed, and its recording as it was then.
    ///
    /// - Throws: `StorageError`, also if the record there is not that of a failure.
    package func failed(
        at position: SpoolPosition
    ) throws(StorageError) -> (failure: FailureRecord, recording: FileStamp) {
        var (file, cursor) = try record(.failed, at: position)
        guard let recording = FileStamp(&cursor),
            let stage = cursor.text().flatMap(ClipFailure.Stage.init(rawValue:)), let kind = cursor.text(),
            let reason = cursor.text()
        else { throw .damaged(path: file.path, found: "no failure is recorded at byte \(position.offset)") }
        return (FailureRecord(stage: stage, kind: kind, reason: reason), recording)
    }

    /// Hands over a finished clip's rows, piece by piece.
    ///
    /// - Parameters:
    ///   - spooled: The clip.
    ///   - receive: Called with whole rows, which are valid during the call, and which it may change.
    /// - Throws: `StorageError`, or what `receive` throws.
    package func rows(
        of spooled: SpooledClip, receive: (UnsafeMutableBufferPointer<Float>) throws(StorageError) -> Void
    ) throws(StorageError) {
        switch spooled.rows {
        case .inPlace(let clip): try rows(in: clip, spooled.clip.statistics, receive)
        case .records(let file, let offset, let count):
            try rows(in: try files.file(file), file, from: offset, count: count, receive)
        }
    }

    private func rows(
        in file: SpoolFile, _ number: Int, from start: Int, count: Int,
        _ receive: (UnsafeMutableBufferPointer<Float>) throws(StorageError) -> Void
    ) throws(StorageError) {
        var (offset, left) = (start, count)
        while left > 0 {
            let header = try record(file, number, at: offset)
            guard header.kind == .rows || header.kind == .mark else {
                throw .damaged(path: file.path, found: "no record of rows at byte \(offset)")
            }
            offset += SpoolRecord.headerSize + header.byteCount
            if header.kind == .mark { continue }
            left -= 1
            let payload = UnsafeMutableRawBufferPointer(
                mutating: UnsafeRawBufferPointer(rebasing: buffer.bytes[SpoolRecord.headerSize...]))
            try receive(payload.assumingMemoryBound(to: Float.self))
        }
    }

    /// The last checkpoint of a live recording in a file, as far as the file is intact.
    ///
    /// - Parameter number: The number of its file, in which it is the only clip.
    /// - Returns: nil: there is none. `isDamaged`: whether something other than a record that is cut short follows.
    /// - Throws: `StorageError.system`.
    package func lastMark(ofFile number: Int) throws(StorageError) -> (mark: Checkpoint?, isDamaged: Bool) {
        let file = try files.file(number)
        var last: Checkpoint?
        var offset = 0
        while offset < file.byteCount {
            let header: SpoolRecord.Header
            do throws(StorageError) {
                header = try file.read(at: offset, into: &buffer)
            } catch {
                guard case .damaged = error else { throw error }
                return (last, try !file.isCutShort(at: offset, into: &buffer))
            }
            offset += SpoolRecord.headerSize + header.byteCount
            if header.kind == .mark {
                var cursor = payload
                last = Checkpoint(&cursor) ?? last
            }
        }
        return (last, false)
    }

    /// Hands over the rows of a clip that was never completed, piece by piece.
    ///
    /// - Parameters:
    ///   - number: The number of its file, in which it is the only clip.
    ///   - count: How many values are wanted: the number in a checkpoint.
    ///   - receive: Called with values that are valid during the call.
    /// - Throws: `StorageError`, also `.damaged` where there are fewer, or what `receive` throws.
    package func rows(
        ofFile number: Int, count: Int, receive: (UnsafeBufferPointer<Float>) throws(StorageError) -> Void
    ) throws(StorageError) {
        let file = try files.file(number)
        var (offset, left) = (0, count)
        while left > 0 {
            let header = try file.read(at: offset, into: &buffer)
            offset += SpoolRecord.headerSize + header.byteCount
            guard header.kind == .rows else { continue }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[SpoolRecord.headerSize...])
            let wanted = UnsafeBufferPointer(rebasing: bytes.assumingMemoryBound(to: Float.self).prefix(left))
            left -= wanted.count
            try receive(wanted)
        }
    }

    private func rows(
        in clip: InPlaceClip, _ statistics: BinStatistics,
        _ receive: (UnsafeMutableBufferPointer<Float>) throws(StorageError) -> Void
    ) throws(StorageError) {
        let file = try files.rows()
        let rowBytes = statistics.bins * MemoryLayout<Float>.size
        let piece = max(1, Self.pieceSize / rowBytes)
        var hash = XXH3Hash128()
        for start in stride(from: 0, to: statistics.count, by: piece) {
            let count = min(piece, statistics.count - start)
            try buffer.fill(count: count * rowBytes) { bytes throws(StorageError) in
                try file.file.read(into: bytes, at: InPlaceRows.offset + (clip.row + start) * rowBytes)
            }
            hash.update(buffer.bytes)
            try receive(UnsafeMutableRawBufferPointer(mutating: buffer.bytes).assumingMemoryBound(to: Float.self))
        }
        guard hash.finish() == clip.checksum else {
            throw .damaged(path: file.path, found: "the rows from \(clip.row) on do not match their checksum")
        }
    }

    private var payload: ByteCursor {
        ByteCursor(UnsafeRawBufferPointer(rebasing: buffer.bytes[SpoolRecord.headerSize...]))
    }
}
