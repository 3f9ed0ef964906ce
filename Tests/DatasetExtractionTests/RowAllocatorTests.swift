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
        let allocator = RowAllocator()
        let next = Atomic(0)
        let starts = Mutex<[Int: Int]>([:])
        try WorkerPool.run(workers) { _ in
            while true {
                let clip = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard clip < rows.count else { return }
                allocator.announce(clip, rows: rows[clip])
                guard rows[clip] > 0 else { continue }
                let range = allocator.take(clip)
                #expect(range?.count == rows[clip])
                starts.withLock { $0[clip] = range?.lowerBound }
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

    @Test func `a clip that is announced late is waited for`() throws {
        let allocator = RowAllocator()
        let found = Mutex<Range<Int>?>(nil)
        let began = Atomic(false)
        let thread = Thread {
            allocator.announce(1, rows: 5)
            began.store(true, ordering: .releasing)
            let range = allocator.take(1)
            found.withLock { $0 = range }
        }
        thread.start()
        while !began.load(ordering: .acquiring) { usleep(100) }
        usleep(20_000)
        #expect(!thread.isFinished)
        allocator.announce(0, rows: 3)
        wait(for: thread)
        #expect(found.withLock { $0 } == 3..<8)
    }

    @Test func `behind a clip whose rows are not known, no rows are reserved`() {
        let allocator = RowAllocator()
        for (clip, rows) in [(2, 4), (0, 2), (3, 1)] { allocator.announce(clip, rows: rows) }
        allocator.announce(1, rows: nil)
        allocator.announce(4, rows: 6)
        #expect((0..<5).map { allocator.take($0) } == [0..<2, nil, nil, nil, nil])
    }

    @Test func `nobody waits behind a clip whose rows are not known`() throws {
        let allocator = RowAllocator()
        allocator.announce(0, rows: 2)
        allocator.announce(4, rows: 1)
        let began = Atomic(false)
        let thread = Thread {
            began.store(true, ordering: .releasing)
            #expect(allocator.take(4) == nil)
        }
        thread.start()
        while !began.load(ordering: .acquiring) { usleep(100) }
        usleep(10_000)
        #expect(!thread.isFinished)
        // Clips 2 and 3 may be opened much later.
        allocator.announce(1, rows: nil)
        wait(for: thread)
        allocator.announce(5, rows: 1)
        #expect(allocator.take(5) == nil)
        #expect(allocator.take(0) == 0..<2)
    }

    @Test(arguments: [[1000, 1], [.max, 1], [5, .max, 7], [5, .max - 5, 7]])
    func `nobody waits behind a clip that claims more rows than a file can have`(rows: [Int]) {
        let allocator = RowAllocator(maximumRows: 999)
        for (clip, rows) in rows.enumerated() { allocator.announce(clip, rows: rows) }
        let expected: [Range<Int>?] = rows.map { $0 == 5 ? 0..<5 : nil }
        #expect(rows.indices.map { allocator.take($0) } == expected)
    }

    @Test func `a clip that fails before it is announced has no rows, after that it keeps them`() {
        let allocator = RowAllocator()
        allocator.announce(0, rows: 2)
        allocator.fail(1)
        allocator.announce(2, rows: 3)
        allocator.fail(2)
        // Announced ahead of one that is not, and failed.
        allocator.announce(4, rows: 7)
        allocator.fail(4)
        allocator.announce(3, rows: 1)
        allocator.announce(5, rows: 1)
        #expect((0..<6).map { allocator.take($0) } == [0..<2, nil, nil, 5..<6, nil, 13..<14])
    }

    @Test func `a second announcement of a clip counts for nothing, and rows are handed out once`() {
        let allocator = RowAllocator()
        allocator.announce(1, rows: 4)
        allocator.announce(1, rows: 40)
        allocator.announce(0, rows: 2)
        allocator.announce(0, rows: 200)
        #expect(allocator.take(1) == 2..<6)
        #expect(allocator.take(0) == 0..<2)
        #expect(allocator.take(0) == nil)
    }

    @Test func `a stop releases the threads that wait, and those that come later`() {
        let allocator = RowAllocator()
        allocator.announce(1, rows: 1)
        let began = Atomic(false)
        let thread = Thread {
            began.store(true, ordering: .releasing)
            #expect(allocator.take(1) == nil)
        }
        thread.start()
        while !began.load(ordering: .acquiring) { usleep(100) }
        usleep(10_000)
        #expect(!thread.isFinished)
        allocator.stop()
        wait(for: thread)
        allocator.announce(3, rows: 1)
        #expect(allocator.take(3) == nil)
    }
}
