import CBare
import FeatureModel
import Foundation

@testable import ClipSpool
@testable import FeatureStorage
@testable import FileIO

/// Clips of 300 rows of 80 values into a spool, with its records and checksums, against `write` of the same bytes.
enum Writing {
    /// - Parameter folder: Where the files go; they are deleted.
    static func comparison(in folder: String) -> Comparison {
        let (clips, rowCount, bins) = (1000, 300, 80)
        let rows = noise(rowCount * bins)
        let finished = FinishedClip(
            measurement: ClipMeasurement(sampleRate: 16_000, channels: 1, start: 0, duration: 3),
            audioChecksum: Checksum128(high: 1, low: 2),
            statistics: BinStatistics(bins: bins))
        let bytes = clips * rows.count * MemoryLayout<Float>.size
        return Comparison(
            name: "writing clips to the spool against write(2)", unit: "bytes", amounts: (bytes, bytes),
            veery: {
                let spool = try Spool(folder: folder + "/kernels.spool")
                try spool.start(identity: "{}")
                let writer = try spool.writer(0)
                for clip in 0..<clips {
                    writer.start(clip: clip)
                    try rows.withUnsafeBufferPointer { rows in
                        // As the transform gives them: batches of 16 rows.
                        for start in stride(from: 0, to: rows.count, by: 16 * bins) {
                            let batch = rows[start..<min(start + 16 * bins, rows.count)]
                            try writer.append(UnsafeBufferPointer(rebasing: batch))
                        }
                    }
                    _ = try writer.finish(finished)
                }
                try spool.remove()
            },
            bare: {
                let code = rows.withUnsafeBytes { bytes in
                    bare_write(folder + "/kernels.bin", bytes.baseAddress, bytes.count, clips)
                }
                try? FileManager.default.removeItem(atPath: folder + "/kernels.bin")
                guard code == 0 else { throw KernelError("cannot write to \(folder): error \(code)") }
            })
    }
}
