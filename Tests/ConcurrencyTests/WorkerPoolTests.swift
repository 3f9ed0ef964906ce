import Synchronization
import Testing

@testable import Concurrency

struct WorkerPoolTests {
    private struct Wrong: Error {}

    @Test func `all threads work, and the first error is thrown once all have ended`() throws {
        let seen = Mutex<Set<Int>>([])
        let isBeside = Mutex(false)
        try WorkerPool.run(5, memory: 0, meanwhile: { isBeside.withLock { $0 = true } }) { number in
            _ = seen.withLock { $0.insert(number) }
        }
        #expect(seen.withLock { $0 } == [0, 1, 2, 3, 4] && isBeside.withLock { $0 })
        let ended = Atomic(0)
        #expect(throws: Wrong.self) {
            try WorkerPool.run(4) { number in
                if number == 1 { throw Wrong() }
                ended.add(1, ordering: .relaxed)
            }
        }
        #expect(ended.load(ordering: .relaxed) == 3)
    }

    @Test(arguments: [1, 2, 7]) func `values come in the order of their indices, from workers of each thread's own`(
        jobs: Int
    ) throws {
        let made = Atomic(0)
        let finished = Mutex<[Int]>([])
        let values = try WorkerPool.map(100, jobs: jobs) {
            made.add(1, ordering: .relaxed)
            return 0
        } finish: { count in
            finished.withLock { $0.append(count) }
        } _: { count, index in
            count += 1
            return index * index
        }
        #expect(values == (0..<100).map { $0 * $0 })
        #expect(finished.withLock { $0.count == made.load(ordering: .relaxed) && $0.reduce(0, +) == 100 })
        #expect(made.load(ordering: .relaxed) <= jobs)
        #expect(
            try WorkerPool.map(0, jobs: jobs) {
                0
            } _: { _, index in
                index
            } == [])
    }

    private struct Failed: Error, Equatable { let index: Int }

    @Test(arguments: [1, 2, 7]) func `the error of the least index is thrown, and the rest is left`(jobs: Int) throws {
        for _ in 0..<20 {
            let done = Atomic(0)
            #expect(throws: Failed(index: 30)) {
                try WorkerPool.map(1_000_000, jobs: jobs) {
                    0
                } _: { _, index in
                    done.add(1, ordering: .relaxed)
                    if index >= 30, index % 10 == 0 || index > 30 { throw Failed(index: index) }
                    return index
                }
            }
            #expect(done.load(ordering: .relaxed) < 100)
        }
    }
}
