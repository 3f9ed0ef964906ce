import Synchronization

/// A request to stop, made from another thread.
package final class Cancellation: Sendable {
    private let requested = Atomic(false)

    /// Nothing is requested.
    package init() {}

    /// Asks for the work to stop soon.
    package func cancel() { requested.store(true, ordering: .relaxed) }

    /// Whether it was asked for.
    package var isCancelled: Bool { requested.load(ordering: .relaxed) }
}
