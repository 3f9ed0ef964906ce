import Checksums
import FeatureModel
import FileIO

/// What a spool knows of a clip that is done, besides its rows.
package struct FinishedClip: Hashable, Sendable {
    /// Rate of the file in Hz.
    package let sampleRate: Int
    /// Channels of the file.
    package let channels: Int
    /// Where the clip begins in the file, in seconds.
    package let start: Double
    /// Length in seconds.
    package let duration: Double
    /// XXH3-128 of the decoded samples.
    package let audioChecksum: Checksum128
    /// Statistics of the rows, before normalisation; its count is the number of rows.
    package let statistics: BinStatistics
    /// What was not as it should be with its recording.
    package var defects: ClipDefects

    /// Bytes of all rows; nil: more than can be, which a damaged record may say.
    var rowsByteCount: Int? {
        let (values, isTooMany) = statistics.count.multipliedReportingOverflow(by: statistics.bins)
        let (bytes, isTooMuch) = values.multipliedReportingOverflow(by: MemoryLayout<Float>.size)
        return isTooMany || isTooMuch ? nil : bytes
    }

    /// Keeps the values.
    package init(
        sampleRate: Int, channels: Int, start: Double, duration: Double, audioChecksum: Checksum128,
        statistics: BinStatistics, defects: ClipDefects = ClipDefects()
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.start = start
        self.duration = duration
        self.audioChecksum = audioChecksum
        self.statistics = statistics
        self.defects = defects
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.append(UInt32(sampleRate))
        buffer.append(UInt32(channels))
        buffer.append(start)
        buffer.append(duration)
        buffer.append(audioChecksum.high)
        buffer.append(audioChecksum.low)
        buffer.append(UInt64(statistics.count))
        buffer.append(UInt32(statistics.bins))
        buffer.append(statistics.mean[...])
        buffer.append(statistics.squaredDistance[...])
        buffer.append(statistics.minimum[...])
        buffer.append(statistics.maximum[...])
    }

    init?(_ cursor: inout ByteCursor) {
        guard let sampleRate = cursor.integer(UInt32.self), let channels = cursor.integer(UInt32.self),
            let start = cursor.double(), let duration = cursor.double(),
            let high = cursor.integer(UInt64.self), let low = cursor.integer(UInt64.self),
            let count = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let bins = cursor.integer(UInt32.self).map(Int.init),
            let mean = cursor.doubles(bins), let squaredDistance = cursor.doubles(bins),
            let minimum = cursor.floats(bins), let maximum = cursor.floats(bins)
        else { return nil }
        self.init(
            sampleRate: Int(sampleRate), channels: Int(channels), start: start, duration: duration,
            audioChecksum: Checksum128(high: high, low: low),
            statistics: BinStatistics(
                count: count, mean: mean, squaredDistance: squaredDistance, minimum: minimum, maximum: maximum))
    }
}
