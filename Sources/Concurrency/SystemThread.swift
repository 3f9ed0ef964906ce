import FeatureModel
import Platform

/// The system refused a thread; `code` is its error number.
package struct NoThread: SystemFaultReporting, Hashable, Sendable, CustomStringConvertible {
    /// `EAGAIN`: a limit of threads or of memory.
    package let code: Int32

    package var description: String {
        "no thread could be started: \(String(cString: strerror(code))) "
            + "(ulimit -u limits the number of a user's threads, ulimit -v the memory for their stacks)"
    }

    package var isSystemFault: Bool { true }
}

/// Starts threads. Foundation's `Thread` fails silently where the system refuses one, and waiting for it never ends.
package enum SystemThread {
    package static let stackSize = 4 << 20

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a detached thread, which ends when `body` returns.
    ///
    /// - Throws: `NoThread`; then `body` is not called.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(NoThread) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                // Optional in some of the systems' headers only.
                let argument: UnsafeMutableRawPointer? = argument
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw NoThread(code: code)
        }
    }
}
