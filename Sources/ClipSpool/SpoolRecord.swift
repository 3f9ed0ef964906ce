import FeatureModel
import FileIO

/// What the records of clips say.
package enum ClipRecords {
    /// A number that is increased whenever this version would record a clip differently from earlier ones, because it reads
    /// recordings, or notes failures and remarks, in another way. Clips with another number are not resumed.
    package static let version = 2
}

/// The frame around every record of a spool file.
///
/// Bytes, all little-endian: checksum (8, XXH3-64 of everything after it), magic (4), kind (4), clip (8),
/// length of the payload in bytes (8), payload.
enum SpoolRecord {
    /// What a payload holds.
    enum Kind: UInt32 {
        /// Rows of features, float32; with rests (`FinishedClip.hasRests`), two numbers for each value.
        case rows = 1
        /// A clip is done: `SpooledClip`.
        case finished = 2
        /// A record of a clip that does not count any more.
        case withdrawn = 4
        /// The state of a live recording after the rows before it: `Checkpoint`.
        case mark = 5
        /// A clip has failed: recording, stage, kind and reason.
        case failed = 6
        /// The end of a `SpoolSummary`: the length of the file that it describes.
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

    /// Reads a header; nil if the bytes are not one.
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

/// A finished clip in a spool.
package struct SpooledClip: Sendable {
    /// Where the rows of a clip are.
    enum Rows: Sendable {
        /// In `InPlaceRows`.
        case inPlace(InPlaceClip)
        /// In `count` consecutive records of the spool's file number `file`, the first at byte `offset`.
        case records(file: Int, offset: Int, count: Int)
    }

    /// What is known of it.
    package let clip: FinishedClip
    /// The recording as it was when the clip was read.
    package let recording: FileStamp
    /// Where its rows are.
    let rows: Rows

    /// Its rows in `InPlaceRows`; nil: they are not there.
    package var inPlace: InPlaceClip? {
        if case .inPlace(let rows) = rows { rows } else { nil }
    }

    /// The count of row records in a record whose rows are already at their final offsets.
    private static let inPlaceMark = UInt64(Int.max)

    /// Appends the payload of a record of the kind `finished`.
    static func write(_ clip: FinishedClip, recording: FileStamp, rows: Rows, to buffer: inout ByteBuffer) {
        let inPlace: InPlaceClip?
        switch rows {
        case .inPlace(let clip):
            buffer.append(UInt64(clip.row))
            buffer.append(inPlaceMark)
            inPlace = clip
        case .records(_, let offset, let count):
            buffer.append(UInt64(offset))
            buffer.append(UInt64(count))
            inPlace = nil
        }
        recording.write(to: &buffer)
        clip.write(to: &buffer, inPlace: inPlace)
    }

    /// Reads the payload of a record of the kind `finished` from the spool's file number `file`.
    init?(_ cursor: inout ByteCursor, file: Int) {
        guard let first = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let mark = cursor.integer(UInt64.self), let count = Int(exactly: mark), let recording = FileStamp(&cursor)
        else { return nil }
        var inPlace: InPlaceClip?
        guard let clip = FinishedClip(&cursor, firstRow: mark == Self.inPlaceMark ? first : nil, inPlace: &inPlace)
        else { return nil }
        self.clip = clip
        self.recording = recording
        rows = inPlace.map { .inPlace($0) } ?? .records(file: file, offset: first, count: count)
    }
}

/// What a spool knows of a clip that is done, except its rows.
@dynamicMemberLookup
package struct FinishedClip: Hashable, Sendable {
    /// What was measured of its recording.
    package let measurement: ClipMeasurement
    /// XXH3-128 of the decoded samples.
    package let audioChecksum: Checksum128
    /// Statistics of the rows, before normalisation; its count is the number of rows.
    package let statistics: BinStatistics
    /// Whether each value of the rows is followed by its rest, what single precision lacks of it (`FeaturePlan.hasRests`).
    package let hasRests: Bool

    /// Keeps the values.
    package init(
        measurement: ClipMeasurement, audioChecksum: Checksum128, statistics: BinStatistics, hasRests: Bool = false
    ) {
        self.measurement = measurement
        self.audioChecksum = audioChecksum
        self.statistics = statistics
        self.hasRests = hasRests
    }

    /// Bytes of a row in the spool.
    package var rowByteCount: Int { statistics.bins * MemoryLayout<Float>.size * (hasRests ? 2 : 1) }

    /// A value of the measurement.
    package subscript<Value>(dynamicMember path: KeyPath<ClipMeasurement, Value>) -> Value {
        measurement[keyPath: path]
    }

    /// Bytes of all rows; nil: more than can be, which a damaged record may say.
    var rowsByteCount: Int? {
        let (bytes, isTooMuch) = statistics.count.multipliedReportingOverflow(by: rowByteCount)
        return isTooMuch ? nil : bytes
    }
}

/// The bytes in a record of the kind `finished`: the clip, then `inPlace` (if its rows are there), then its recording's
/// defects and remarks, if it has any. The remarks are the upper 24 bits of the flags.
extension FinishedClip {
    private static let truncatedFlag: UInt32 = 1
    private static let remarksShift: UInt32 = 8

    func write(to buffer: inout ByteBuffer, inPlace: InPlaceClip?) {
        buffer.append(UInt32(measurement.sampleRate))
        buffer.append(UInt32(measurement.channels))
        buffer.append(measurement.start)
        buffer.append(measurement.duration)
        buffer.append(audioChecksum)
        buffer.append(UInt64(statistics.count))
        buffer.append(UInt32(statistics.bins))
        buffer.append(UInt32(hasRests ? 1 : 0))
        buffer.append(statistics.mean[...])
        buffer.append(statistics.squaredDistance[...])
        buffer.append(statistics.exactMinimum[...])
        buffer.append(statistics.exactMaximum[...])
        if let inPlace { buffer.append(inPlace.checksum) }
        guard !measurement.allRemarks(nil).isEmpty else { return }
        buffer.append(
            (measurement.isTruncated ? Self.truncatedFlag : 0)
                | measurement.remarks.stored.rawValue << Self.remarksShift)
        buffer.append(UInt64(measurement.zeroedSamples))
    }

    /// - Parameters:
    ///   - firstRow: The first of its rows in `InPlaceRows`; nil: they are not there.
    ///   - inPlace: Becomes what the record says of these rows.
    init?(_ cursor: inout ByteCursor, firstRow: Int?, inPlace: inout InPlaceClip?) {
        guard let sampleRate = cursor.integer(UInt32.self), let channels = cursor.integer(UInt32.self),
            let start = cursor.double(), let duration = cursor.double(),
            let audioChecksum = Checksum128(&cursor),
            let count = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let bins = cursor.integer(UInt32.self).map(Int.init), let rests = cursor.integer(UInt32.self),
            let mean = cursor.doubles(bins), let squaredDistance = cursor.doubles(bins),
            let minimum = cursor.doubles(bins), let maximum = cursor.doubles(bins)
        else { return nil }
        self.audioChecksum = audioChecksum
        statistics = BinStatistics(
            count: count, mean: mean, squaredDistance: squaredDistance, exactMinimum: minimum,
            exactMaximum: maximum)
        hasRests = rests != 0
        if let firstRow {
            inPlace = InPlaceClip(row: firstRow, statistics, &cursor)
            guard inPlace != nil else { return nil }
        }
        let flags = cursor.integer(UInt32.self)
        let zeroed = cursor.integer(UInt64.self).flatMap(Int.init(exactly:))
        let defects = zeroed == nil ? 0 : flags ?? 0
        measurement = ClipMeasurement(
            sampleRate: Int(sampleRate), channels: Int(channels), start: start, duration: duration,
            isTruncated: defects & Self.truncatedFlag != 0,
            zeroedSamples: zeroed ?? 0, remarks: RecordingRemarks(rawValue: defects >> Self.remarksShift))
    }
}

/// The state of a live recording after some of its rows.
package struct Checkpoint: Hashable, Sendable {
    /// Samples of each channel so far.
    package let frames: Int
    /// Values of the rows computed from them.
    package let values: Int
    /// The maximum value of these rows; −∞: there are none.
    package let peak: Double
    /// XXH3-128 of the samples.
    package let checksum: Checksum128

    /// Keeps the values.
    package init(frames: Int, values: Int, peak: Double, checksum: Checksum128) {
        self.frames = frames
        self.values = values
        self.peak = peak
        self.checksum = checksum
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.append(UInt64(frames))
        buffer.append(UInt64(values))
        buffer.append(peak)
        buffer.append(checksum)
    }

    init?(_ cursor: inout ByteCursor) {
        guard let frames = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let values = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)), let peak = cursor.double(),
            let checksum = Checksum128(&cursor)
        else { return nil }
        self.init(frames: frames, values: values, peak: peak, checksum: checksum)
    }
}
