import Foundation
import Synchronization

/// Runs the same work on a number of threads and waits for all of them.
enum WorkerPool {
    /// - Parameters:
    ///   - count: Number of threads, at least 1.
    ///   - beside: Is done meanwhile, on the caller's thread.
    ///   - body: Gets the thread's number, from 0.
    /// - Throws: The first error that one of them threw; the others run to their end first.
    static func run(
        _ count: Int, beside: () throws -> Void = {}, _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let failure = FirstError()
        let group = DispatchGroup()
        for number in 0..<max(count, 1) {
            group.enter()
            let thread = Thread {
                defer { group.leave() }
                do { try body(number) } catch { failure.keep(error) }
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        do { try beside() } catch { failure.keep(error) }
        group.wait()
        try failure.rethrow()
    }
}

/// The first error of several threads.
private final class FirstError: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func keep(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

    func rethrow() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
