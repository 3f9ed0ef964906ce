import Dispatch
import Synchronization

/// Lets as many of a pool's workers work as are wanted; the others wait between two parts of their work.
package final class WorkerTurns: Sendable {
    private struct State {
        var isEnding = false
        /// Workers that wait, by their numbers.
        var waiting: [Int: DispatchSemaphore] = [:]
    }

    private let wantedCount: Atomic<Int>
    private let started = Atomic(0)
    private let state = Mutex(State())

    init(wanted: Int) { wantedCount = Atomic(wanted) }

    /// How many workers work: those with the lowest numbers.
    package var wanted: Int { wantedCount.load(ordering: .relaxed) }

    /// Parts of the work that were started.
    var count: Int { started.load(ordering: .relaxed) }

    /// Starts the next part of a worker's work. Waits as long as the worker is not wanted and no other has ended: one that has
    /// ended found nothing more to do, or failed.
    ///
    /// - Parameters:
    ///   - number: The worker's.
    ///   - handOver: Hands over what is finished, before the worker waits.
    /// - Throws: What `handOver` throws.
    package func next(_ number: Int, beforeRest handOver: () throws -> Void) rethrows {
        if number >= wanted {
            try handOver()
            wait(number)
        }
        started.add(1, ordering: .relaxed)
    }

    /// The same for a worker that has nothing to hand over.
    package func next(_ number: Int) { next(number, beforeRest: {}) }

    private func wait(_ number: Int) {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard number >= wanted, !state.isEnding else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting[number] = semaphore
            return semaphore
        }
        semaphore?.wait()
    }

    /// Changes the number of workers that work.
    func want(_ count: Int) {
        let woken = state.withLock { state in
            wantedCount.store(count, ordering: .relaxed)
            let numbers = state.waiting.keys.filter { $0 < count }
            return numbers.compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for semaphore in woken { semaphore.signal() }
    }

    /// Lets all workers continue to their ends.
    func end() {
        let woken = state.withLock { state in
            state.isEnding = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for semaphore in woken { semaphore.signal() }
    }

    /// Whether a worker has ended.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// How many workers wait.
    var resting: Int { state.withLock { $0.waiting.count } }
}
