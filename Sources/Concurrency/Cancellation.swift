import Synchronization

/// A request to stop, made from another thread.
package final class Cancellation: Sendable {
    private let requested = Atomic(false)

    package init() {}

    package func cancel() { requested.store(true, ordering: .relaxed) }

    package var isCancelled: Bool { requested.load(ordering: .relaxed) }
}
