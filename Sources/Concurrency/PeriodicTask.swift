import Dispatch
import Synchronization

/// Work that is repeated on a thread of its own.
package final class PeriodicTask: Sendable {
    private let isRunning = Mutex(false)
    private let (stopRequest, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    package init() {}

    /// Starts, once.
    ///
    /// - Parameter period: Time from the end of one round to the start of the next.
    package func start(
        every period: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void
    ) throws(NoThread) {
        let (stopRequest, stopped) = (stopRequest, stopped)
        try SystemThread.start {
            while stopRequest.wait(timeout: .now() + period) == .timedOut { work() }
            stopped.signal()
        }
        isRunning.withLock { $0 = true }
    }

    /// Stops, and waits for the current round.
    package func stop() {
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = false }
            return isRunning
        }
        guard wasRunning else { return }
        stopRequest.signal()
        stopped.wait()
    }

    /// Repeats `periodic` while `body` runs; not at all without a thread, since the work only saves waiting at the end.
    ///
    /// - Throws: What `body` throws.
    package static func run<Result, Failure: Error>(
        every period: DispatchTimeInterval, _ periodic: @escaping @Sendable () -> Void,
        while body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let task = PeriodicTask()
        try? task.start(every: period, periodic)
        defer { task.stop() }
        return try body()
    }
}
