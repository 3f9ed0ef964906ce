import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction

struct RowAllocatorTests {
    @Test(arguments: [1, 2, 7])
    func `every clip begins where the ones before it end, whoever announces first`(workers: Int) throws {
        var random = RandomSource(seed: UInt64(workers))
        let rows = (0..<3000).map { _ in Int.random(in: 0...9, using: &random) }
        let places = RowAllocator()
        let next = Atomic(0)
        let starts = Mutex<[Int: Int]>([:])
        try WorkerPool.run(workers) { _ in
            while true {
                let clip = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard clip < rows.count else { return }
                places.announce(clip, rows: rows[clip])
                guard rows[clip] > 0 else { continue }
                let place = places.place(of: clip)
                #expect(place?.count == rows[clip])
                starts.withLock { $0[clip] = place?.lowerBound }
            }
        }
        var row = 0
        let found = starts.withLock { $0 }
        for (clip, count) in rows.enumerated() {
            #expect(found[clip] == (count > 0 ? row : nil), "clip \(clip)")
            row += count
        }
    }

    /// Waits for a thread, but not for ever.
    private func wait(for thread: Thread) {
        for _ in 0..<100_000 where !thread.isFinished { usleep(100) }
        #expect(thread.isFinished)
    }

    @Test func `one that announces late is waited for`() throws {
        let places = RowAllocator()
        let found = Mutex<Range<Int>?>(nil)
        let began = Atomic(false)
        let thread = Thread {
            places.announce(1, rows: 5)
            began.store(true, ordering: .releasing)
            let place = places.place(of: 1)
            found.withLock { $0 = place }
        }
        thread.start()
        while !began.load(ordering: .acquiring) { usleep(100) }
        usleep(20_000)
        #expect(!thread.isFinished)
        places.announce(0, rows: 3)
        wait(for: thread)
        #expect(found.withLock { $0 } == 3..<8)
    }

    @Test func `behind a clip whose rows are not known, there are no places`() {
        let places = RowAllocator()
        for (clip, rows) in [(2, 4), (0, 2), (3, 1)] { places.announce(clip, rows: rows) }
        places.announce(1, rows: nil)
        places.announce(4, rows: 6)
        #expect((0..<5).map { places.place(of: $0) } == [0..<2, nil, nil, nil, nil])
    }

    @Test(arguments: [[1000, 1], [.max, 1], [5, .max, 7], [5, .max - 5, 7]])
    func `nor behind one that claims more rows than a file can have`(rows: [Int]) {
        let places = RowAllocator(most: 999)
        for (clip, rows) in rows.enumerated() { places.announce(clip, rows: rows) }
        let expected: [Range<Int>?] = rows.map { $0 == 5 ? 0..<5 : nil }
        #expect(rows.indices.map { places.place(of: $0) } == expected)
    }

    @Test func `a clip that fails before it is announced has no rows, after that it keeps them`() {
        let places = RowAllocator()
        places.announce(0, rows: 2)
        places.fail(1)
        places.announce(2, rows: 3)
        places.fail(2)
        // Announced ahead of one that is not, and failed.
        places.announce(4, rows: 7)
        places.fail(4)
        places.announce(3, rows: 1)
        places.announce(5, rows: 1)
        #expect((0..<6).map { places.place(of: $0) } == [0..<2, nil, nil, 5..<6, nil, 13..<14])
    }

    @Test func `what is said of a clip again counts for nothing, and a place is given once`() {
        let places = RowAllocator()
        places.announce(1, rows: 4)
        places.announce(1, rows: 40)
        places.announce(0, rows: 2)
        places.announce(0, rows: 200)
        #expect(places.place(of: 1) == 2..<6)
        #expect(places.place(of: 0) == 0..<2)
        #expect(places.place(of: 0) == nil)
    }

    @Test func `a stop lets those go on who wait, and those who come later`() {
        let places = RowAllocator()
        places.announce(1, rows: 1)
        let began = Atomic(false)
        let thread = Thread {
            began.store(true, ordering: .releasing)
            #expect(places.place(of: 1) == nil)
        }
        thread.start()
        while !began.load(ordering: .acquiring) { usleep(100) }
        usleep(10_000)
        #expect(!thread.isFinished)
        places.stop()
        wait(for: thread)
        places.announce(3, rows: 1)
        #expect(places.place(of: 3) == nil)
    }
}
