import FileIO

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

    /// What a record says instead of a number of records where the rows are in place.
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

    /// Reads the payload of a record of the kind `finished`, which stands in the spool's file number `file`.
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
