import Dispatch
import Synchronization

/// Runs the same work on several threads and waits for all of them.
package enum WorkerPool {
    /// Default memory of a thread besides its stack: buffers of a decoder.
    private static let usualMemory = 4 << 20

    /// Fewer than `count` threads do the work where the system refuses more, or memory is limited. Without any, the caller's
    /// thread does the work, after `beside`.
    ///
    /// - Parameters:
    ///   - count: Number of threads, at least 1.
    ///   - memory: Bytes that each thread needs.
    ///   - beside: Runs meanwhile on the caller's thread.
    ///   - body: Gets the thread's number, from 0. The threads that run have to do all of the work.
    /// - Throws: The first error of a thread, after all have ended.
    package static func run(
        _ count: Int, memory: Int = usualMemory, beside: () throws -> Void = {},
        _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let failure = FirstError()
        let group = DispatchGroup()
        var started = 0
        for number in 0..<AddressSpace.threads(max(count, 1), of: memory) {
            group.enter()
            do throws(NoThread) {
                try SystemThread.start {
                    defer { group.leave() }
                    do { try body(number) } catch { failure.keep(error) }
                }
            } catch {
                group.leave()
                break
            }
            started += 1
        }
        do { try beside() } catch { failure.keep(error) }
        if started == 0, !failure.isKept {
            do { try body(0) } catch { failure.keep(error) }
        }
        group.wait()
        try failure.rethrow()
    }
}

/// The first error of several threads.
private final class FirstError: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    package var isKept: Bool { error.withLock { $0 != nil } }

    package func keep(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

    package func rethrow() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
