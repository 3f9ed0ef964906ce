import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct ChunkTests {
    @Test func `chunks are as large as their size and the padding allow`() {
        // 98 rows: 7 × 14 are padded to 112 with 16, 104 with 8.
        #expect(ChunkSize.rows(rowBytes: 320, lengths: [98: 1000]) == 8)
        #expect(ChunkSize.rows(rowBytes: 320, lengths: [3000: 10]) == 128)
        // 64 KiB: 204 rows of 320 bytes, 16 of 4096.
        #expect(ChunkSize.rows(rowBytes: 256, lengths: [10_000: 1]) == 256)
        #expect(ChunkSize.rows(rowBytes: 320, lengths: [10_000: 1]) == 128)
        #expect(ChunkSize.rows(rowBytes: 4096, lengths: [10_000: 1]) == 16)
        #expect(ChunkSize.rows(rowBytes: 4100, lengths: [10_000: 1]) == 8)
        // Exactly 5 %: 304 rows for 320.
        #expect(ChunkSize.rows(rowBytes: 16, lengths: [320: 1]) == 64)
        #expect(ChunkSize.rows(rowBytes: 16, lengths: [61: 20]) == 64)
        #expect(ChunkSize.rows(rowBytes: 16, lengths: [60: 20]) == 8)
        #expect(ChunkSize.rows(rowBytes: 16, lengths: [1: 1]) == 8)
        #expect(ChunkSize.rows(rowBytes: 16, lengths: [:]) == 256)
        // Never more than 1 MiB except for a single row.
        #expect(ChunkSize.rows(rowBytes: 131_072, lengths: [100: 1]) == 8)
        #expect(ChunkSize.rows(rowBytes: 131_076, lengths: [100: 1]) == 4)
        #expect(ChunkSize.rows(rowBytes: 8 << 20, lengths: [100: 1]) == 1)
    }

    @Test func `a chunk that does not become smaller is shuffled only`() throws {
        var random = RandomSource(seed: 3)
        let noise = (0..<4096).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        let compressor = try ChunkCompressor(elementSize: 4, level: 1, chunkBytes: 16_384, path: "")
        let kept = noise.withUnsafeBytes { bytes in
            let chunk = compressor.compress(bytes)
            return (chunk.filterMask, Array(chunk.bytes), Array(bytes))
        }
        #expect(kept.0 == 2)
        var shuffled: [UInt8] = []
        for byte in 0..<4 { shuffled += (0..<4096).map { kept.2[4 * $0 + byte] } }
        #expect(kept.1 == shuffled)
        let zeros = [UInt32](repeating: 0, count: 4096)
        #expect(zeros.withUnsafeBytes { compressor.compress($0).bytes.count } < 100)
    }
}
