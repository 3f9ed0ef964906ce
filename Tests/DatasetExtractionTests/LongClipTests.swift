import ClipSpool
import ExtractionSupport
import FeatureModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction

/// A long clip among small ones: others must wait neither for the rest of its block, nor for the small clips before it.
struct LongClipTests {
    private let fixture: ExtractionFixture
    private let extraction: Extraction
    private let spool: Spool
    private let rows: InPlaceRows
    private let allocator = RowAllocator()
    private let clips: [Clip]

    init() throws {
        fixture = try ExtractionFixture()
        try fixture.record("small.wav", samples: 4000)
        // 31,000 rows of 48 bytes: written in two pieces.
        try fixture.record("long.wav", samples: 4_000_000)
        let names = ["small", "small", "long", "small", "gone", "small"]
        extraction = try fixture.extraction(
            "id,path\n" + names.enumerated().map { "\($0),\($1).wav\n" }.joined())
        spool = try Spool(folder: fixture.folder.path("own.spool"))
        rows = try spool.inPlaceRows(bins: extraction.plan.bins)
        let reader = try extraction.source.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        self.clips = clips
    }

    private func extractor(_ number: Int, longestStay: Duration = .seconds(3600)) throws -> ClipExtractor {
        try ClipExtractor(
            plan: extraction.plan, root: fixture.folder.url.path, writer: spool.writer(number, rows: rows),
            allocator: allocator, longestStay: longestStay, cancellation: Cancellation())
    }

    /// Waits, but not for ever.
    private func wait(until isDone: () -> Bool) {
        for _ in 0..<100_000 where !isDone() { usleep(100) }
        #expect(isDone())
    }

    @Test func `before a long clip is read, the rest of its block is announced`() throws {
        nonisolated(unsafe) let worker = try extractor(0)
        let block = clips
        let written = Mutex<[WrittenClip]>([])
        // Clips 0 and 1 are another worker's, which has not opened them. So the long one can write nothing, and does not end.
        let thread = Thread {
            #expect(throws: Never.self) {
                try worker.extract(block[2], before: block[3...])
                for index in 3..<6 { try worker.extract(block[index], before: block[(index + 1)...]) }
                try worker.flush()
            }
            written.withLock { $0 = worker.takeWritten() }
        }
        thread.start()
        wait { allocator.isAnnounced(2) }
        wait { (3...5).allSatisfy(allocator.isAnnounced) }
        #expect(!thread.isFinished)
        for clip in 0...1 { allocator.announce(clip, rows: 10) }
        wait { thread.isFinished }
        let found = written.withLock { $0.sorted { $0.clip < $1.clip } }
        #expect(found.map(\.clip) == [2, 3, 4, 5])
        // None has lost its rows, and the clip whose recording is missing has none.
        var row = 20
        for clip in found {
            guard case .spooled(let position, let count) = clip.entry else {
                #expect(clip.clip == 4)
                continue
            }
            #expect(try spool.reader().finished(at: position).inPlace?.row == row, "clip \(clip.clip)")
            row += count
        }
    }

    @Test func `before a small clip, nothing else is announced`() throws {
        let extractor = try extractor(0)
        try extractor.extract(clips[0], before: clips[1...])
        #expect(allocator.isAnnounced(0) && !allocator.isAnnounced(1))
    }

    @Test func `small clips stay in memory, and are written before the first rows of a long one`() throws {
        let extractor = try extractor(0)
        for clip in clips[..<2] { try extractor.extract(clip) }
        #expect(extractor.takeWritten().isEmpty)
        try extractor.extract(clips[2])
        #expect(extractor.takeWritten().map(\.clip) == [0, 1, 2])
        try extractor.extract(clips[3])
        try extractor.extract(clips[4])
        #expect(extractor.takeWritten().isEmpty)
        try extractor.flush()
        #expect(extractor.takeWritten().map(\.clip).sorted() == [3, 4])
    }

    @Test func `small clips that have waited for long are written before the next is looked at`() throws {
        let extractor = try extractor(0, longestStay: .zero)
        try extractor.extract(clips[0])
        #expect(extractor.takeWritten().isEmpty)
        // One of which there is nothing to read.
        try extractor.extract(clips[4])
        #expect(extractor.takeWritten().map(\.clip) == [0])
    }
}
