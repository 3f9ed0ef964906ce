import NIOCore
import Synchronization

/// The way from other threads to the event loop, which is closed before the loop ends: late answers then go nowhere.
final class LoopGate: Sendable {
    private let loop: any EventLoop
    private let isOpen = Mutex(true)

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Runs work on the loop, later.
    func execute(_ work: @escaping @Sendable () -> Void) {
        isOpen.withLock { if $0 { loop.execute(work) } }
    }

    func close() { isOpen.withLock { $0 = false } }
}
