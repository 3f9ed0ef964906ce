import Checksums
import FeatureModel
import FileIO

/// What the records of clips say.
package enum ClipRecords {
    /// A number that rises when clips that an earlier version of the program has recorded would be others now: when recordings are
    /// read, or failures and remarks noted, in another way. Such clips are not resumed.
    package static let version = 2
}

/// The frame around every record of a spool file.
///
/// Bytes, all little-endian: checksum (8, XXH3-64 of everything behind it), magic (4), kind (4), clip (8),
/// length of the payload in bytes (8), payload.
enum SpoolRecord {
    /// What a payload holds.
    enum Kind: UInt32 {
        /// Rows of features, float32.
        case rows = 1
        /// A clip is done: `SpooledClip`.
        case finished = 2
        /// A record of a clip that does not count any more.
        case withdrawn = 4
        /// How much live sound the rows before it are of: `Checkpoint`.
        case mark = 5
        /// A clip has failed: recording, stage, kind and reason.
        case failed = 6
        /// The end of a `SpoolSummary`: the length of the file that it is of.
        case end = 7
    }

    /// A header as read.
    struct Header {
        let checksum: UInt64
        let kind: Kind
        let clip: Int
        let byteCount: Int
    }

    static let magic: UInt32 = 0x4C50_5356  // "VSPL"
    static let headerSize = 32

    /// Starts a record; `seal` completes it. Returns its offset in the buffer.
    static func start(_ kind: Kind, clip: Int, in buffer: inout ByteBuffer) -> Int {
        let offset = buffer.count
        buffer.append(UInt64(0))
        buffer.append(magic)
        buffer.append(kind.rawValue)
        buffer.append(UInt64(clip))
        buffer.append(UInt64(0))
        return offset
    }

    /// Starts the record of a clip that has failed, with all that it says.
    static func start(_ failure: ClipFailure, clip: Int, _ recording: FileStamp, in buffer: inout ByteBuffer) -> Int {
        let offset = start(.failed, clip: clip, in: &buffer)
        recording.write(to: &buffer)
        buffer.append(failure.stage.rawValue)
        buffer.append(failure.kind.rawValue)
        buffer.append(failure.reason)
        return offset
    }

    /// Fills in length and checksum of the record that starts at `offset` and ends at the buffer's end.
    static func seal(at offset: Int, in buffer: inout ByteBuffer) {
        buffer.set(UInt64(buffer.count - offset - headerSize), at: offset + 24)
        buffer.set(checksum(of: UnsafeRawBufferPointer(rebasing: buffer.bytes[offset...])), at: offset)
    }

    /// The checksum that a record, given from its first byte, must have.
    static func checksum(of record: UnsafeRawBufferPointer) -> UInt64 {
        xxh3(UnsafeRawBufferPointer(rebasing: record[8...]))
    }

    /// Turns a sealed record into one that does not count.
    static func withdraw(_ record: UnsafeMutableRawBufferPointer) {
        record.storeBytes(of: Kind.withdrawn.rawValue.littleEndian, toByteOffset: 12, as: UInt32.self)
        record.storeBytes(of: checksum(of: UnsafeRawBufferPointer(record)).littleEndian, as: UInt64.self)
    }

    /// Reads a header; nil where it is none.
    static func header(_ bytes: UnsafeRawBufferPointer) -> Header? {
        var cursor = ByteCursor(bytes)
        guard let checksum = cursor.integer(UInt64.self), cursor.integer(UInt32.self) == magic,
            let kind = cursor.integer(UInt32.self).flatMap(Kind.init(rawValue:)),
            let clip = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let byteCount = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)), byteCount < 1 << 40
        else { return nil }
        return Header(checksum: checksum, kind: kind, clip: clip, byteCount: byteCount)
    }
}

extension ByteBuffer {
    mutating func append(_ checksum: Checksum128) {
        append(checksum.high)
        append(checksum.low)
    }
}

extension Checksum128 {
    init?(_ cursor: inout ByteCursor) {
        guard let high = cursor.integer(UInt64.self), let low = cursor.integer(UInt64.self) else { return nil }
        self.init(high: high, low: low)
    }
}

extension FileStamp {
    func write(to buffer: inout ByteBuffer) {
        buffer.append(byteCount)
        buffer.append(modified)
    }

    init?(_ cursor: inout ByteCursor) {
        guard let byteCount = cursor.integer(Int64.self), let modified = cursor.integer(Int64.self) else { return nil }
        self.init(byteCount: byteCount, modified: modified)
    }
}
