import Checksums
import FeatureModel

/// The rows of a finished clip that lie in a spool's `PlacedRows`.
package struct PlacedClip: Hashable, Sendable {
    /// The first of them.
    package let row: Int
    /// XXH3-128 of all of them.
    package let checksum: Checksum128

    func write(to buffer: inout ByteBuffer) {
        buffer.append(checksum.high)
        buffer.append(checksum.low)
    }

    init(row: Int, checksum: Checksum128) {
        self.row = row
        self.checksum = checksum
    }

    init?(row: Int, _ cursor: inout ByteCursor) {
        guard let high = cursor.integer(UInt64.self), let low = cursor.integer(UInt64.self) else { return nil }
        self.init(row: row, checksum: Checksum128(high: high, low: low))
    }
}
