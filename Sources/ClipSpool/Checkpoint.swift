import Checksums
import FileIO

/// The state of a live recording after some of its rows.
package struct Checkpoint: Hashable, Sendable {
    /// Samples of each channel so far.
    package let frames: Int
    /// Values of the rows computed from them.
    package let values: Int
    /// The maximum value of these rows; −∞: there are none.
    package let peak: Float
    /// XXH3-128 of the samples.
    package let checksum: Checksum128

    /// Keeps the values.
    package init(frames: Int, values: Int, peak: Float, checksum: Checksum128) {
        self.frames = frames
        self.values = values
        self.peak = peak
        self.checksum = checksum
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.append(UInt64(frames))
        buffer.append(UInt64(values))
        buffer.append(Double(peak))
        buffer.append(checksum)
    }

    init?(_ cursor: inout ByteCursor) {
        guard let frames = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let values = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)), let peak = cursor.double(),
            let checksum = Checksum128(&cursor)
        else { return nil }
        self.init(frames: frames, values: values, peak: Float(peak), checksum: checksum)
    }
}
