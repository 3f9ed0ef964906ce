import Dispatch
import Platform
import Synchronization

/// Threads that take pieces of work from a queue of limited length.
package final class WorkQueue: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work] = []
        /// Pieces of work that were accepted by `add` and have not ended.
        var unfinished = 0
        var isOpen = true
    }

    /// What the threads share with those who bring work.
    private final class Queue: Sendable {
        let state = Mutex(State())
        /// One for each piece of work that waits, and for each thread once there will be no more.
        let available = DispatchSemaphore(value: 0)

        /// The next piece of work, once there is one; nil: there will be none.
        func next() -> Work? {
            available.wait()
            return state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        }
    }

    private let queue = Queue()
    private let crew: WorkerCrew
    private let capacity: Int

    /// Starts the threads; fewer where the system refuses more.
    ///
    /// - Parameters:
    ///   - threads: How many, at least 1.
    ///   - capacity: How many pieces of work may wait or run.
    /// - Throws: `NoThread` if the system refuses even one.
    package init(threads: Int, capacity: Int) throws(NoThread) {
        self.capacity = capacity
        let queue = queue
        crew = WorkerCrew { _ in
            while let work = queue.next() { work() }
        }
        guard crew.start(upTo: max(threads, 1)) > 0 else { throw NoThread(code: EAGAIN) }
    }

    /// Adds a piece of work.
    ///
    /// - Returns: Whether it was accepted. Otherwise too much waits or runs, or `finish` was called, and it will not run.
    package func add(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (queue, capacity) = (queue, capacity)
        let isAccepted = queue.state.withLock { state in
            guard state.isOpen, state.unfinished < capacity else { return false }
            state.unfinished += 1
            state.waiting.append {
                defer { queue.state.withLock { $0.unfinished -= 1 } }
                work()
            }
            return true
        }
        if isAccepted { queue.available.signal() }
        return isAccepted
    }

    /// Adds what continues work that has ended, however much waits.
    ///
    /// - Returns: Whether it was accepted; not after `finish` was called.
    @discardableResult
    package func goOn(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isAccepted = queue.state.withLock { state in
            if state.isOpen { state.waiting.append(work) }
            return state.isOpen
        }
        if isAccepted { queue.available.signal() }
        return isAccepted
    }

    /// Drops the work that waits, accepts no more, and waits for what runs.
    ///
    /// - Parameter time: Waits no longer than this. A thread whose work takes longer ends with it.
    /// - Returns: Whether all threads have ended.
    @discardableResult
    package func finish(within time: DispatchTimeInterval) -> Bool {
        let dropped = queue.state.withLock { state in
            state.isOpen = false
            defer { state.waiting = [] }
            return state.waiting
        }
        // They are released here, not under the lock: they may own what uses this queue.
        _ = consume dropped
        for _ in 0..<crew.count { queue.available.signal() }
        return crew.wait(time)
    }
}
