import Concurrency
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C) and SIGTERM into a request to stop; a second one ends the program at once.
///
/// The signals are blocked in the thread that makes this and in all that it starts from then on, and a thread of their own
/// waits for them: none is lost, however early it comes. So it has to be made before any other thread. Where the system has no
/// thread to give, the first one ends the program at once: what is done is on the disk, as after a crash.
final class Interruption: Sendable {
    /// What the work looks at.
    let cancellation = Cancellation()

    private let first = Mutex<Int32?>(nil)
    /// The exit status of a program that is out of patience.
    private static let lastStatus = Atomic(Int32(0))

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - patience: After so much time the program ends, whatever the work is at; nil: it may take as long as it likes.
    ///   - lastWords: What is said then on standard error.
    init(patience: Duration? = nil, lastWords: String = "") {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            // A shell without job control lets programs in the background ignore them; what is ignored cannot be waited for.
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

    /// Asks for the work to stop, and sees to it that the program ends: at once by a second signal, or out of patience.
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
        // Words may wait for ever where nobody reads them.
        Self.lastStatus.store(128 + number, ordering: .relaxed)
        signal(SIGALRM) { _ in _exit(Interruption.lastStatus.load(ordering: .relaxed)) }
        ualarm(250_000, 0)
        Console.note(lastWords)
        _exit(128 + number)
    }

    /// 130 after SIGINT, 143 after SIGTERM; nil where none came.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0 } }
}
