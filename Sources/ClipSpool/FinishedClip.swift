import Checksums
import FeatureModel
import FileIO

/// What a spool knows of a clip that is done, besides its rows.
@dynamicMemberLookup
package struct FinishedClip: Hashable, Sendable {
    /// Of its recording.
    package let measurement: ClipMeasurement
    /// XXH3-128 of the decoded samples.
    package let audioChecksum: Checksum128
    /// Statistics of the rows, before normalisation; its count is the number of rows.
    package let statistics: BinStatistics

    /// Keeps the values.
    package init(measurement: ClipMeasurement, audioChecksum: Checksum128, statistics: BinStatistics) {
        self.measurement = measurement
        self.audioChecksum = audioChecksum
        self.statistics = statistics
    }

    /// A value of the measurement.
    package subscript<Value>(dynamicMember path: KeyPath<ClipMeasurement, Value>) -> Value {
        measurement[keyPath: path]
    }

    /// Bytes of all rows; nil: more than can be, which a damaged record may say.
    var rowsByteCount: Int? {
        let (values, isTooMany) = statistics.count.multipliedReportingOverflow(by: statistics.bins)
        let (bytes, isTooMuch) = values.multipliedReportingOverflow(by: MemoryLayout<Float>.size)
        return isTooMany || isTooMuch ? nil : bytes
    }
}

/// The bytes in a record of the kind `finished`: the clip, then `inPlace` (if its rows are there), then its recording's
/// defects and remarks, if it has any. The remarks are the upper 24 bits of the flags.
extension FinishedClip {
    private static let truncatedFlag: UInt32 = 1
    private static let remarksShift: UInt32 = 8

    func write(to buffer: inout ByteBuffer, inPlace: InPlaceClip?) {
        buffer.append(UInt32(measurement.sampleRate))
        buffer.append(UInt32(measurement.channels))
        buffer.append(measurement.start)
        buffer.append(measurement.duration)
        buffer.append(audioChecksum)
        buffer.append(UInt64(statistics.count))
        buffer.append(UInt32(statistics.bins))
        buffer.append(statistics.mean[...])
        buffer.append(statistics.squaredDistance[...])
        buffer.append(statistics.minimum[...])
        buffer.append(statistics.maximum[...])
        if let inPlace { buffer.append(inPlace.checksum) }
        guard !measurement.allRemarks(nil).isEmpty else { return }
        buffer.append(
            (measurement.isTruncated ? Self.truncatedFlag : 0)
                | measurement.remarks.stored.rawValue << Self.remarksShift)
        buffer.append(UInt64(measurement.zeroedSamples))
    }

    /// - Parameters:
    ///   - firstRow: The first of its rows in `InPlaceRows`; nil: they are not there.
    ///   - inPlace: Becomes what the record says of these rows.
    init?(_ cursor: inout ByteCursor, firstRow: Int?, inPlace: inout InPlaceClip?) {
        guard let sampleRate = cursor.integer(UInt32.self), let channels = cursor.integer(UInt32.self),
            let start = cursor.double(), let duration = cursor.double(),
            let audioChecksum = Checksum128(&cursor),
            let count = cursor.integer(UInt64.self).flatMap(Int.init(exactly:)),
            let bins = cursor.integer(UInt32.self).map(Int.init),
            let mean = cursor.doubles(bins), let squaredDistance = cursor.doubles(bins),
            let minimum = cursor.floats(bins), let maximum = cursor.floats(bins)
        else { return nil }
        self.audioChecksum = audioChecksum
        statistics = BinStatistics(
            count: count, mean: mean, squaredDistance: squaredDistance, minimum: minimum, maximum: maximum)
        if let firstRow {
            inPlace = InPlaceClip(row: firstRow, statistics, &cursor)
            guard inPlace != nil else { return nil }
        }
        let flags = cursor.integer(UInt32.self)
        let zeroed = cursor.integer(UInt64.self).flatMap(Int.init(exactly:))
        let defects = zeroed == nil ? 0 : flags ?? 0
        measurement = ClipMeasurement(
            sampleRate: Int(sampleRate), channels: Int(channels), start: start, duration: duration,
            isTruncated: defects & Self.truncatedFlag != 0,
            zeroedSamples: zeroed ?? 0, remarks: RecordingRemarks(rawValue: defects >> Self.remarksShift))
    }
}
