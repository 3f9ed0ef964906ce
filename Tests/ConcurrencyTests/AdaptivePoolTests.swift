import Dispatch
import Synchronization
import Testing

@testable import Concurrency

struct AdaptivePoolTests {
    private struct Wrong: Error {}

    private let workers = WorkerRange(usual: 2, maximum: 9)

    /// Work in parts, each of which waits until so many workers wait at a time, or are wanted no more.
    private final class Waiting: Sendable {
        private struct State {
            var inside = 0
            var most = 0
            var isOpen = false
        }

        private let state = Mutex(State())
        private let gate = DispatchSemaphore(value: 0)
        private let enough: Int

        init(until enough: Int) { self.enough = enough }

        var most: Int { state.withLock { $0.most } }

        func wait() {
            let opens = state.withLock { state -> Bool? in
                if state.isOpen { return nil }
                state.inside += 1
                state.most = max(state.most, state.inside)
                state.isOpen = state.inside == enough
                return state.isOpen
            }
            switch opens {
            case nil: break
            case true?: for _ in 1..<enough { gate.signal() }
            case false?: gate.wait()
            }
        }
    }

    @Test func `while all workers wait, there are more, up to the maximum`() throws {
        let waiting = Waiting(until: 9)
        let ended = Mutex<Set<Int>>([])
        try WorkerPool.run(workers, use: { ProcessorUse() }) { number, turns in
            turns.next(number)
            waiting.wait()
            _ = ended.withLock { $0.insert(number) }
        }
        #expect(waiting.most == 9 && ended.withLock { $0 } == Set(0..<9))
    }

    @Test func `while processors are busy, there are as many workers as at first`() throws {
        let seen = Mutex<Set<Int>>([])
        let use = Use { _ in 2 }
        let parts = Atomic(0)
        try WorkerPool.run(workers, use: { use.now }) { number, turns in
            _ = seen.withLock { $0.insert(number) }
            while use.looks < 10, parts.wrappingAdd(1, ordering: .relaxed).newValue < 100_000_000 { turns.next(number) }
        }
        #expect(seen.withLock { $0 } == [0, 1])
    }

    /// The use of processors of a fake machine.
    private final class Use: Sendable {
        private let running: @Sendable (Int) -> Double
        private let state = Mutex((looks: 0, time: ContinuousClock.now, use: ProcessorUse()))

        /// - Parameter running: Processors that are in use at the look of this number.
        init(_ running: @escaping @Sendable (Int) -> Double) { self.running = running }

        var looks: Int { state.withLock { $0.looks } }

        var now: ProcessorUse {
            state.withLock { state in
                let now = ContinuousClock.now
                state.use.running += running(state.looks) * (state.time.duration(to: now) / .seconds(1))
                (state.looks, state.time) = (state.looks + 1, now)
                return state.use
            }
        }
    }

    /// Runs until workers rest, after the disk was slow at first; then `then` is called by the first worker.
    private func rest(
        beforeRest: @escaping @Sendable (Int) throws -> Void = { _ in },
        then: @escaping @Sendable () throws -> Void
    ) throws -> Set<Int> {
        let ended = Mutex<Set<Int>>([])
        let seen = Mutex<Set<Int>>([])
        // Idle until all workers are there, and busy from then on.
        let use = Use { _ in seen.withLock { $0.count } < 9 ? 0 : 2 }
        try WorkerPool.run(workers, use: { use.now }) { number, turns in
            _ = seen.withLock { $0.insert(number) }
            defer { _ = ended.withLock { $0.insert(number) } }
            while number > 0 || turns.resting < 7 {
                try turns.next(number) { try beforeRest(number) }
                if turns.isEnding { return }
            }
            try then()
        }
        return ended.withLock { $0 }
    }

    @Test func `workers that are not wanted rest, after handing over, and end with the others`()
        throws
    {
        let handedOver = Mutex<Set<Int>>([])
        let ended = try rest(beforeRest: { number in _ = handedOver.withLock { $0.insert(number) } }, then: {})
        #expect(handedOver.withLock { $0 } == Set(2..<9) && ended == Set(0..<9))
    }

    @Test func `an error of a worker ends those that rest, and is thrown`() throws {
        #expect(throws: Wrong.self) { try rest(then: { throw Wrong() }) }
        #expect(throws: Wrong.self) { try rest(beforeRest: { if $0 == 5 { throw Wrong() } }, then: {}) }
    }

    @Test func `the time that the process has run rises`() {
        let before = ProcessorUse.now
        var sum = 0.0
        while ProcessorUse.now.running <= before.running { sum += 1 }
        // Of queueing, threads that end take their part along, and other tests end some.
        #expect(ProcessorUse.now.running > before.running && ProcessorUse.now.queueing >= 0 && sum >= 0)
    }
}
