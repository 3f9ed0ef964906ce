import FeaturePipeline
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM and SIGHUP into a request to stop, and counts changes of the screen's
/// size (SIGWINCH). A second request ends the program at once, with the screen as it was.
///
/// The signals are blocked in the thread that makes this and in all that it starts from then on, and a thread of their own
/// waits for them. So it has to be made before any other thread.
final class LiveSignals: Sendable {
    /// What the work looks at.
    let cancellation = Cancellation()

    private let first = Mutex<Int32?>(nil)
    private let resizes = Atomic(0)
    private let restore = Mutex<(@Sendable () -> Void)?>(nil)

    /// Begins to listen.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            // A shell without job control lets programs in the background ignore them; what is ignored cannot be waited for.
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        sigaddset(&signals, SIGWINCH)
        // By default it is thrown away, even while it is blocked.
        signal(SIGWINCH) { _ in }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Who reads the filtered samples may go: that is said by the write.
        signal(SIGPIPE, SIG_IGN)
        let waitedFor = signals
        Thread { [self] in
            while true {
                var set = waitedFor
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { continue }
                guard number != SIGWINCH else {
                    resizes.add(1, ordering: .relaxed)
                    continue
                }
                guard keep(number) else {
                    restore.withLock { $0 }?()
                    _exit(128 + number)
                }
                cancellation.cancel()
            }
        }.start()
    }

    /// How often the screen's size has changed.
    var resizeCount: Int { resizes.load(ordering: .relaxed) }

    /// 130 after SIGINT, 131 after SIGQUIT, 143 after SIGTERM, 129 after SIGHUP; nil where none came.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0 } }

    /// Says what has to be done before the program ends at once.
    func beforeExit(_ restore: @escaping @Sendable () -> Void) { self.restore.withLock { $0 = restore } }

    private func keep(_ number: Int32) -> Bool {
        first.withLock { first in
            guard first == nil else { return false }
            first = number
            return true
        }
    }
}
