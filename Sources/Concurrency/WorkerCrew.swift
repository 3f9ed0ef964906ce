import Dispatch
import Synchronization

/// The threads of a pool, which all do the same work, and the first of their errors.
final class WorkerCrew: Sendable {
    private struct State {
        var started = 0
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let running = DispatchGroup()
    private let body: @Sendable (Int) throws -> Void

    /// - Parameter body: Called with a thread's number, from 0.
    init(_ body: @escaping @Sendable (Int) throws -> Void) { self.body = body }

    /// Threads that were started.
    var count: Int { state.withLock { $0.started } }

    /// Starts threads until there are so many, or the system refuses one.
    ///
    /// - Returns: How many there are.
    @discardableResult
    func start(upTo count: Int) -> Int {
        for number in self.count..<max(count, self.count) {
            running.enter()
            do throws(NoThread) {
                try SystemThread.start { [self] in
                    defer { running.leave() }
                    work(number)
                }
            } catch {
                running.leave()
                break
            }
            state.withLock { $0.started += 1 }
        }
        return self.count
    }

    private func work(_ number: Int) {
        do { try body(number) } catch { note(error) }
    }

    /// Keeps the first error.
    func note(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Waits until all threads have ended, no longer than `time`; whether they have.
    func wait(_ time: DispatchTimeInterval) -> Bool { running.wait(timeout: .now() + time) == .success }

    /// Waits until all threads have ended. Without any, and without an error, the caller's thread does the work.
    ///
    /// - Throws: The first error.
    func finish() throws {
        let isLeft = state.withLock { $0.started == 0 && $0.failure == nil }
        if isLeft { work(0) }
        running.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
