import Dispatch
import Synchronization

/// A value that one thread brings, once, and another one waits for.
package final class Delivery<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let arrived = DispatchSemaphore(value: 0)

    package init() {}

    package func bring(_ value: Value) {
        self.value.withLock { $0 = value }
        arrived.signal()
    }

    /// Waits for the value; called once.
    package func wait() -> Value {
        while true {
            arrived.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
