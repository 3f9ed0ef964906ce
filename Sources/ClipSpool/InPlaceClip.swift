import Checksums
import FeatureModel
import FileIO

/// The rows of a finished clip in a spool's `InPlaceRows`.
package struct InPlaceClip: Hashable, Sendable {
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

    /// - Returns: nil if there is no checksum, and if no file can have such rows.
    init?(row: Int, _ statistics: BinStatistics, _ cursor: inout ByteCursor) {
        let (end, isBehindAll) = row.addingReportingOverflow(statistics.count)
        let (bytes, isTooMuch) = end.multipliedReportingOverflow(by: statistics.bins * MemoryLayout<Float>.size)
        guard row >= 0, statistics.count > 0, statistics.bins > 0, !isBehindAll, !isTooMuch,
            bytes < .max - InPlaceRows.offset, let high = cursor.integer(UInt64.self),
            let low = cursor.integer(UInt64.self)
        else { return nil }
        self.init(row: row, checksum: Checksum128(high: high, low: low))
    }
}
