import FileIO

/// What was not as it should be with the recording of a clip that is done all the same.
package struct ClipDefects: Hashable, Sendable {
    /// Whether the clip is shorter than it would be, had its recording not been cut off.
    package var isTruncated = false
    /// Whether the recording is cut off, but behind the clip.
    package var liesBeforeCut = false
    /// Samples, in all channels, that were no finite numbers and became 0.
    package var zeroedSamples = 0

    /// Keeps the values.
    package init(isTruncated: Bool = false, liesBeforeCut: Bool = false, zeroedSamples: Int = 0) {
        self.isTruncated = isTruncated
        self.liesBeforeCut = liesBeforeCut
        self.zeroedSamples = zeroedSamples
    }

    /// Appends them to a record; nothing where there are none.
    func write(to buffer: inout ByteBuffer) {
        guard self != ClipDefects() else { return }
        buffer.append(UInt32(isTruncated ? 1 : 0) | UInt32(liesBeforeCut ? 2 : 0))
        buffer.append(UInt64(zeroedSamples))
    }

    /// What stands at the end of a record; nil: nothing.
    init?(_ cursor: inout ByteCursor) {
        guard let flags = cursor.integer(UInt32.self),
            let zeroed = cursor.integer(UInt64.self).flatMap(Int.init(exactly:))
        else { return nil }
        self.init(isTruncated: flags & 1 != 0, liesBeforeCut: flags & 2 != 0, zeroedSamples: zeroed)
    }
}
