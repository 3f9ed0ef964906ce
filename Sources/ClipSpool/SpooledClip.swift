import FileIO

/// A finished clip in a spool.
package struct SpooledClip: Sendable {
    /// What is known of it.
    package let clip: FinishedClip
    /// The recording as it was when the clip was read.
    package let recording: FileStamp
    /// Which of the spool's files it stands in.
    let file: Int
    /// Where its rows lie, if not in records of their own.
    package let placed: InPlaceClip?
    /// Byte at which its first record of rows begins.
    let firstRecord: Int
    /// Number of its records of rows, which stand one behind the other.
    let rowRecords: Int

    /// Stands for the number of records where there are none; the first row then stands for the first of them.
    static let placedMark = Int.max

    /// Reads the payload of a record of the kind `finished`.
    init?(_ cursor: inout ByteCursor, file: Int) {
        guard let firstRecord = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let rowRecords = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let recording = FileStamp(&cursor), var clip = FinishedClip(&cursor)
        else { return nil }
        let isPlaced = rowRecords == Self.placedMark
        placed = isPlaced ? InPlaceClip(row: firstRecord, clip.statistics, &cursor) : nil
        guard isPlaced == (placed != nil) else { return nil }
        clip.defects = ClipDefects(&cursor) ?? ClipDefects()
        self.clip = clip
        self.recording = recording
        self.file = file
        self.firstRecord = isPlaced ? 0 : firstRecord
        self.rowRecords = isPlaced ? 0 : rowRecords
    }
}
