import FeatureModel
import FileIO
import TestSupport

@testable import ClipSpool

/// The description of a clip of `rows` rows that a spool is given; distinct for each `seed`.
func finishedClip(rows: Int, bins: Int = 3, seed: Int = 0, measurement: ClipMeasurement? = nil) -> FinishedClip {
    let means = (0..<bins).map { Double($0 + seed) / 3 }
    return FinishedClip(
        measurement: measurement
            ?? ClipMeasurement(
                sampleRate: 8000 + seed, channels: 1 + seed % 3, start: Double(seed) / 7, duration: Double(rows) / 100),
        audioChecksum: Checksum128(high: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15, low: .max - UInt64(seed)),
        statistics: BinStatistics(
            count: rows, mean: means, squaredDistance: means.map { $0 * 2 }, minimum: means.map { Float(-$0) },
            maximum: means.map { Float($0) }))
}

extension SpoolWriter {
    /// Appends rows that lie in an array.
    func append(_ values: [Float]) throws(StorageError) {
        try values.withUnsafeBufferPointer { rows throws(StorageError) in try append(rows) }
    }

    /// Writes a whole clip, its rows handed over in pieces of at most `piece` values.
    func write(clip: Int, _ values: [Float], bins: Int = 3, piece: Int = 30_000) throws -> SpoolPosition {
        start(clip: clip)
        for start in stride(from: 0, to: values.count, by: piece) {
            try append(Array(values[start..<min(start + piece, values.count)]))
        }
        return try finish(finishedClip(rows: values.count / bins, bins: bins, seed: clip))
    }
}

extension Spool {
    /// Hands over what the folder holds of each clip, makes writers continue after it, and returns the paths of damaged files.
    @discardableResult
    func scan(_ receive: (SpoolScan.Entry) -> Void) throws -> [String] {
        guard let contents = try contents() else { return [] }
        let extent = try contents.scan(receive)
        resume(contents, extent)
        return extent.damaged
    }
}

extension SpoolReader {
    /// A clip and all its rows.
    func whole(at position: SpoolPosition) throws -> (clip: FinishedClip, values: [Float], records: Int) {
        let spooled = try finished(at: position)
        var values: [Float] = []
        try rows(of: spooled) { values.append(contentsOf: $0) }
        if case .records(_, _, let count) = spooled.rows { return (spooled.clip, values, count) }
        return (spooled.clip, values, 0)
    }
}
