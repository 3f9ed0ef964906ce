import FileIO
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DatasetExtraction
@testable import FeatureStorage

struct ChunkSequencerTests {
    @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3, 8])
    func `chunks are written in the clips' order by any number of threads`(
        workers: Int
    ) throws {
        let written = Mutex<[Int]>([])
        let sequencer = ChunkSequencer { pending throws(StorageError) in
            written.withLock { $0 += pending.entries.map(\.row) }
        }
        let next = Atomic(0)
        let clips = 300
        let bytes = [UInt8](repeating: 1, count: 64)
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            while true {
                let clip = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard clip < clips else { return }
                var pending = PendingChunks()
                for chunk in 0..<(clip * 7 % 11) {
                    bytes.withUnsafeBytes {
                        pending.append(ChunkCompressor.Chunk(bytes: $0, filterMask: 0), row: clip * 100 + chunk)
                    }
                    // Some clips are too long to be kept.
                    if (try? sequencer.write(pending, of: clip, mayWait: clip % 5 == 0)) == true { pending.removeAll() }
                }
                try? sequencer.finish(pending, of: clip)
            }
        }
        var expected: [Int] = []
        for clip in 0..<clips { expected += (0..<clip * 7 % 11).map { clip * 100 + $0 } }
        #expect(written.withLock { $0 } == expected)
    }

    @Test(.timeLimit(.minutes(5))) func `after an error nobody waits`() throws {
        let sequencer = ChunkSequencer { _ throws(StorageError) in throw .damaged(path: "", found: "disk full") }
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            do {
                // Clip 0 waits until the others do, or are through.
                if worker == 0 { Thread.sleep(forTimeInterval: 0.1) }
                try sequencer.finish(PendingChunks(), of: worker)
                _ = try sequencer.write(PendingChunks(), of: worker, mayWait: true)
            } catch {
                sequencer.stop()
            }
        }
        #expect(sequencer.isStopped)
    }
}
