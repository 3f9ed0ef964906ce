import Concurrency
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C) and SIGTERM into a request to stop; a second one ends the program at once.
///
/// The signals are blocked in the current thread and those that it starts afterwards, and received by a thread of their own, so
/// that none is lost: create this before any other thread. If that thread cannot be started, the first signal ends the program
/// at once: finished work is on the disk, as after a crash.
final class Interruption: Sendable {
    /// Cancelled by the first signal.
    let cancellation = Cancellation()

    private let first = Mutex<Int32?>(nil)
    /// The exit status when patience runs out.
    private static let lastStatus = Atomic(Int32(0))

    /// Starts to receive signals.
    ///
    /// - Parameters:
    ///   - patience: How long after a signal the program ends, even if the work has not stopped; nil: never.
    ///   - lastWords: What is printed then on standard error.
    init(patience: Duration? = nil, lastWords: String = "") {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            // A shell without job control makes background programs ignore them, and ignored signals cannot be waited for.
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waitedFor = signals
        do throws(NoThread) {
            try SystemThread.start { [self] in
                var set = waitedFor
                var number: Int32 = 0
                while sigwait(&set, &number) != 0 {}
                obey(number, patience, lastWords, second: waitedFor)
            }
        } catch {
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }
    }

    /// Cancels the work, and ends the program at a second signal or when patience runs out.
    private func obey(_ number: Int32, _ patience: Duration?, _ lastWords: String, second: sigset_t) {
        first.withLock { $0 = number }
        for number in [SIGINT, SIGTERM] { signal(number) { _exit(128 + $0) } }
        var signals = second
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        cancellation.cancel()
        guard let patience else {
            while true { pause() }
        }
        Thread.sleep(forTimeInterval: patience / .seconds(1))
        // Writing may block for ever.
        Self.lastStatus.store(128 + number, ordering: .relaxed)
        signal(SIGALRM) { _ in _exit(Interruption.lastStatus.load(ordering: .relaxed)) }
        ualarm(250_000, 0)
        Console.note(lastWords)
        _exit(128 + number)
    }

    /// 130 after SIGINT, 143 after SIGTERM; nil where none came.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0 } }
}
