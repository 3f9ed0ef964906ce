/// A finished clip in a spool.
package struct SpooledClip: Sendable {
    /// What is known of it.
    package let clip: FinishedClip
    /// Which of the spool's files it stands in.
    let file: Int
    /// Byte at which its first record of rows begins.
    let firstRecord: Int
    /// Number of its records of rows, which stand one behind the other.
    let rowRecords: Int
}
