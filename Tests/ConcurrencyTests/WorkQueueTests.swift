import Dispatch
import Synchronization
import Testing

@testable import Concurrency

struct WorkQueueTests {
    @Test func `all work is done once, on several threads at a time`() throws {
        let queue = try WorkQueue(threads: 3, capacity: 1000)
        let met = Mutex(0)
        let order = Mutex<[Int]>([])
        let ended = DispatchGroup()
        for number in 0..<3 {
            ended.enter()
            #expect(
                queue.add {
                    met.withLock { $0 += 1 }
                    while met.withLock({ $0 }) < 3 {}
                    order.withLock { $0.append(number) }
                    ended.leave()
                })
        }
        for number in 3..<200 {
            ended.enter()
            #expect(
                queue.add {
                    order.withLock { $0.append(number) }
                    ended.leave()
                })
        }
        ended.wait()
        #expect(order.withLock { $0.sorted() } == Array(0..<200))
        #expect(queue.finish(within: .seconds(60)))
    }

    @Test func `no more is accepted than may wait and run, but for what goes on`() throws {
        let queue = try WorkQueue(threads: 1, capacity: 2)
        let (gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        #expect(queue.add { gate.wait() })
        #expect(queue.add { ended.signal() })
        #expect(!queue.add {} && !queue.add {})
        #expect(queue.goOn { ended.signal() })
        gate.signal()
        ended.wait()
        ended.wait()
        while !queue.add({ ended.signal() }) {}
        ended.wait()
        #expect(queue.finish(within: .seconds(60)))
    }

    @Test func `after the end, what runs is waited for, and what waits or comes is dropped`() throws {
        final class Owned: Sendable {}
        let queue = try WorkQueue(threads: 1, capacity: 10)
        let (gate, started) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = Mutex(0)
        weak var dropped: Owned?
        #expect(
            queue.add {
                started.signal()
                gate.wait()
                count.withLock { $0 += 1 }
            })
        do {
            let owned = Owned()
            dropped = owned
            let isAccepted = queue.add {
                withExtendedLifetime(owned) { count.withLock { $0 += 100 } }
            }
            #expect(isAccepted)
        }
        started.wait()
        #expect(!queue.finish(within: .milliseconds(1)), "the first piece of work waits for the gate")
        #expect(dropped == nil)
        #expect(!queue.add {} && !queue.goOn {})
        gate.signal()
        #expect(queue.finish(within: .seconds(60)))
        #expect(count.withLock { $0 } == 1)
    }
}
