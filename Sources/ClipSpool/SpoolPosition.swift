/// Where the last record of a clip is: in which of a spool's files, and at which byte.
package struct SpoolPosition: Hashable, Sendable {
    /// Number of the file, within `files`.
    let file: Int
    /// Byte at which the record starts, less than 2⁴⁸.
    let offset: Int

    /// The numbers that files may have.
    static let files = 0..<65_534
}
