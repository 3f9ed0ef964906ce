import FeatureModel
import Foundation
import Manifests
import Synchronization
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction

struct ClipBlocksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manifest(clips: Int) throws -> Manifest {
        let rows = (0..<clips).map { "\($0).wav\n" }.joined()
        return try Manifest.scan(path: folder.write("path\n" + rows, to: "manifest.csv"), format: .csv)
    }

    private struct Stop: Error, Equatable { let clip: Int }

    @Test(arguments: [(1, 1024, 4), (15, 7, 1), (1000, 64, 3), (2500, 1024, 2), (300, 1, 2)])
    func `clips are taken in order, each with what was looked up for it`(clips: Int, size: Int, jobs: Int) throws {
        let lookUps = Atomic(0)
        var taken: [Int] = []
        try ClipBlocks.run(of: manifest(clips: clips), size: size, jobs: jobs, cancellation: Cancellation()) {
            var own = 0
            return { clips in
                clips.map { clip -> String? in
                    lookUps.wrappingAdd(1, ordering: .relaxed)
                    own += 1
                    if clip.index % 3 == 0 { usleep(UInt32(clip.index % 40)) }
                    return clip.index % 5 == 4 ? nil : "\(clip.index)"
                }
            }
        } take: { clip, found in
            #expect(found == "\(clip.index)")
            taken.append(clip.index)
        }
        #expect(taken == (0..<clips).filter { $0 % 5 != 4 })
        let count = lookUps.load(ordering: .relaxed)
        #expect(count == clips)
    }

    @Test func `an error in a look-up ends it, and none of its block is taken`() throws {
        var taken: [Int] = []
        let error = #expect(throws: Stop.self) {
            try ClipBlocks.run(of: manifest(clips: 1000), size: 100, jobs: 2, cancellation: Cancellation()) {
                { clips in
                    try clips.map { clip -> Int? in
                        if clip.index == 350 { throw Stop(clip: 350) }
                        return clip.index
                    }
                }
            } take: { clip, _ in
                taken.append(clip.index)
            }
        }
        #expect(error == Stop(clip: 350))
        #expect(taken == Array(0..<300))
    }

    @Test func `an error of the one that takes clips ends it, too`() throws {
        let error = #expect(throws: Stop.self) {
            try ClipBlocks.run(of: manifest(clips: 1000), size: 100, jobs: 2, cancellation: Cancellation()) {
                { clips in clips.map { $0.index } }
            } take: { clip, _ in
                if clip.index == 120 { throw Stop(clip: 120) }
            }
        }
        #expect(error == Stop(clip: 120))
    }

    @Test func `a periodic task ends with the work, whether the work fails or not`() {
        let count = Mutex(0)
        let result = PeriodicTask.run(every: .milliseconds(1), { count.withLock { $0 += 1 } }) {
            while count.withLock({ $0 }) < 3 { usleep(500) }
            return 7
        }
        let after = count.withLock { $0 }
        usleep(20_000)
        #expect(result == 7 && after >= 3 && count.withLock { $0 } == after)
        #expect(throws: Stop(clip: 1)) {
            try PeriodicTask.run(every: .seconds(3600), { count.withLock { $0 += 1 } }) { throw Stop(clip: 1) }
        }
        #expect(count.withLock { $0 } == after)
    }

    @Test func `work on the caller's thread fails with its own error, after the others have ended`() {
        let ended = Atomic(false)
        #expect(throws: Stop(clip: 2)) {
            try WorkerPool.run(2) {
                throw Stop(clip: 2)
            } _: { _ in
                usleep(20_000)
                ended.store(true, ordering: .releasing)
            }
        }
        let hasEnded = ended.load(ordering: .acquiring)
        #expect(hasEnded)
    }
}
