import Synchronization
import Testing

@testable import Concurrency

struct WorkerPoolTests {
    private struct Wrong: Error {}

    @Test func `all threads work, and the first error is thrown once all have ended`() throws {
        let seen = Mutex<Set<Int>>([])
        let isBeside = Mutex(false)
        try WorkerPool.run(5, memory: 0, beside: { isBeside.withLock { $0 = true } }) { number in
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
}
