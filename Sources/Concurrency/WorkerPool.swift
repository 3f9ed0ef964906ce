import Dispatch
import Synchronization

/// Runs the same work on a number of threads and waits for all of them.
package enum WorkerPool {
    /// Bytes that a thread needs beside its stack, where the caller does not know better: buffers of a decoder.
    private static let usualMemory = 4 << 20

    /// Fewer threads than `count` do the work where the system gives no more, or where the memory that it lets the program
    /// have is too little for all of them. Where it gives none, the caller's thread does the work, after `beside`.
    ///
    /// - Parameters:
    ///   - count: Number of threads, at least 1.
    ///   - memory: Bytes that each of them needs.
    ///   - beside: Is done meanwhile, on the caller's thread.
    ///   - body: Gets the thread's number, from 0. Whichever of them run have to do all of the work.
    /// - Throws: The first error that one of them threw; the others run to their end first.
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
