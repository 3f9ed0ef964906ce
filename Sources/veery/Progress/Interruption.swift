import Dispatch
import FeaturePipeline
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C) and SIGTERM into a request to stop; a second one ends the program at once.
///
/// The signals are blocked in the thread that makes this and in all that it starts from then on, and a thread of their own
/// waits for them: none is lost, however early it comes. So it has to be made before any other thread.
final class Interruption: Sendable {
    /// What the work looks at.
    let cancellation = Cancellation()

    private let first = Mutex<Int32?>(nil)

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - patience: After so much time the program ends, whatever the work is at; nil: it may take as long as it likes.
    ///   - lastWords: What is said then on standard error.
    init(patience: DispatchTimeInterval? = nil, lastWords: String = "") {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            // A shell without job control lets programs in the background ignore them; what is ignored cannot be waited for.
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waitedFor = signals
        Thread { [self] in
            while true {
                var set = waitedFor
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { continue }
                guard keep(number) else { _exit(128 + number) }
                cancellation.cancel()
                guard let patience else { continue }
                let status = 128 + number
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    Console.note(lastWords)
                    _exit(status)
                }
                // Words may wait for ever where nobody reads them.
                DispatchQueue.global().asyncAfter(deadline: .now() + patience + .milliseconds(250)) { _exit(status) }
            }
        }.start()
    }

    /// 130 after SIGINT, 143 after SIGTERM; nil where none came.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0 } }

    /// Keeps a signal; false where one came before.
    private func keep(_ number: Int32) -> Bool {
        first.withLock { first in
            guard first == nil else { return false }
            first = number
            return true
        }
    }
}
