import Dispatch
import Synchronization

/// Does something again and again on a thread of its own, from `begin` to `end`.
final class LiveKeeping: Sendable {
    private let state = Mutex(State.idle)
    private let (stop, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    private enum State {
        case idle
        case running
    }

    /// Begins, once.
    ///
    /// - Throws: `NoThread`.
    func begin(every period: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void) throws(NoThread) {
        let (stop, stopped) = (stop, stopped)
        try SystemThread.start {
            while stop.wait(timeout: .now() + period) == .timedOut { work() }
            stopped.signal()
        }
        state.withLock { $0 = .running }
    }

    /// Ends: what has begun is ended first.
    func end() {
        let wasRunning = state.withLock { state in
            defer { state = .idle }
            return state == .running
        }
        guard wasRunning else { return }
        stop.signal()
        stopped.wait()
    }
}
