import Testing

@testable import DatasetExtraction

struct BlockPaceTests {
    private func next(clips: Int, rows: Int, milliseconds: Double) -> Int {
        var pace = BlockPace(rowBytes: 320)
        pace.end(clips: clips, rows: rows, after: .milliseconds(milliseconds))
        return pace.clips
    }

    @Test func `small clips that take little time are taken together, up to sixteen`() {
        #expect(BlockPace(rowBytes: 320).clips == 1)
        #expect(next(clips: 1, rows: 30, milliseconds: 0.1) == 16)
        #expect(next(clips: 1, rows: 0, milliseconds: 0) == 16)
        #expect(next(clips: 0, rows: 0, milliseconds: 0) == 16)
        // 62 KiB each: four of them are written at once.
        #expect(next(clips: 16, rows: 16 * 200, milliseconds: 1) == 4)
    }

    @Test func `clips that take long, or have many rows, are taken one by one`() {
        #expect(next(clips: 4, rows: 40, milliseconds: 20) == 2)
        #expect(next(clips: 16, rows: 160, milliseconds: 160) == 1)
        #expect(next(clips: 1, rows: 10, milliseconds: 5000) == 1)
        #expect(next(clips: 1, rows: 205, milliseconds: 0.1) == 1)
    }
}
