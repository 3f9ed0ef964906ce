/// A finished clip in a spool.
package struct SpooledClip: Sendable {
    /// What is known of it.
    package let clip: FinishedClip
    /// The recording as it was when the clip was read.
    package let recording: RecordingStamp
    /// Which of the spool's files it stands in.
    let file: Int
    /// Byte at which its first record of rows begins.
    let firstRecord: Int
    /// Number of its records of rows, which stand one behind the other.
    let rowRecords: Int

    /// Reads the payload of a record of the kind `finished`.
    init?(_ cursor: inout ByteCursor, file: Int) {
        guard let firstRecord = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let rowRecords = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let recording = RecordingStamp(&cursor), let clip = FinishedClip(&cursor)
        else { return nil }
        self.clip = clip
        self.recording = recording
        self.file = file
        self.firstRecord = firstRecord
        self.rowRecords = rowRecords
    }
}
