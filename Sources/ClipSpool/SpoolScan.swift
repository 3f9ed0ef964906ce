import FeatureModel
import FileIO
import Platform

/// Reads one file of a spool from its beginning, as far as it is intact.
///
/// It checks every record's checksum, and that a finished clip's rows are directly before it. The first wrong record ends the
/// scan: nothing after it counts. A clip whose rows are in `InPlaceRows`, and wrong there, does not count, but those after it
/// do: a power cut leaves such clips.
package struct SpoolScan: ~Copyable {
    /// A clip that is in the spool.
    package enum Entry {
        /// Done.
        case finished(clip: Int, SpoolPosition, rows: Int, seconds: Double)
        /// Failed.
        case failed(clip: Int, SpoolPosition)
    }

    private let file: SpoolFile
    private let reader: SpoolReader
    private let hasRows: Bool
    private let number: Int
    private var buffer = ByteBuffer(capacity: 1 << 16)
    /// The records of rows directly before the current offset: of which clip, from which offset, how many, how many bytes.
    private var rows = (clip: -1, firstRecord: 0, records: 0, byteCount: 0)

    init(_ files: SpoolFiles, number: Int) throws(StorageError) {
        file = try files.file(number)
        reader = SpoolReader(files: files)
        hasRows = files.hasRows
        self.number = number
    }

    /// Hands over what is in the file, in order.
    ///
    /// - Returns: Length in bytes of the part that counts, up to the end of the last complete clip; and whether anything but a
    ///   record that is cut short, which every killed program leaves, follows it.
    /// - Throws: `StorageError.system` if the file cannot be read. Damage is not an error: what follows is done again.
    mutating func run(_ receive: (Entry) -> Void) throws(StorageError) -> (length: Int, isDamaged: Bool) {
        var (offset, intact, isDamaged) = (0, 0, false)
        let size = file.byteCount
        while offset < size {
            let header: SpoolRecord.Header
            do {
                header = try file.read(at: offset, into: &buffer)
            } catch .damaged {
                isDamaged = try !file.isCutShort(at: offset, into: &buffer)
                break
            }
            let position = SpoolPosition(file: number, offset: offset)
            let next = offset + SpoolRecord.headerSize + header.byteCount
            if header.kind == .rows {
                if rows.clip != header.clip { rows = (header.clip, offset, 0, 0) }
                rows.records += 1
                rows.byteCount += header.byteCount
            } else if header.kind != .mark {
                if header.kind != .withdrawn {
                    guard let entry = entry(header, at: position) else {
                        isDamaged = true
                        break
                    }
                    if try isComplete(entry) { receive(entry) }
                }
                rows = (-1, 0, 0, 0)
                intact = next
            }
            offset = next
        }
        return (intact, isDamaged)
    }

    /// Whether rows in `InPlaceRows` match their checksum. If that whole file is gone, it has become the feature file:
    /// `SpooledClip.inPlace` says which clips it has.
    private func isComplete(_ entry: Entry) throws(StorageError) -> Bool {
        guard hasRows, case .finished(_, let position, _, _) = entry else { return true }
        let spooled = try reader.finished(at: position)
        guard spooled.inPlace != nil else { return true }
        do {
            try reader.rows(of: spooled) { _ in }
            return true
        } catch .damaged {
            return false
        } catch .system(_, _, EIO) {
            return false
        }
    }

    /// What a record says; nil where it contradicts the records before it.
    private func entry(_ header: SpoolRecord.Header, at position: SpoolPosition) -> Entry? {
        var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: buffer.bytes[SpoolRecord.headerSize...]))
        switch header.kind {
        case .rows, .withdrawn, .mark, .end: return nil
        case .finished:
            guard let finished = SpooledClip(&cursor, file: number) else { return nil }
            switch finished.rows {
            case .inPlace: guard rows.records == 0 else { return nil }
            case .records(_, let offset, let count):
                guard count == rows.records, rows.byteCount == finished.clip.rowsByteCount,
                    count == 0 || rows.clip == header.clip && rows.firstRecord == offset
                else { return nil }
            }
            return .finished(
                clip: header.clip, position, rows: finished.clip.statistics.count, seconds: finished.clip.duration)
        case .failed: return .failed(clip: header.clip, position)
        }
    }
}
