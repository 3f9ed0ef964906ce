import Concurrency
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM and SIGHUP into a request to stop, and counts changes of the screen's
/// size (SIGWINCH).
///
/// Signals come in company: a terminal that is closed sends two, and so does whoever stops a service. What comes within a
/// second is one request. A later one ends the program at once, with the screen as it was; but not where there is something
/// to be completed (`completing`): then it is answered with words.
///
/// The signals are blocked in the thread that makes this and in all that it starts from then on, and a thread of their own
/// waits for them. So it has to be made before any other thread.
final class LiveSignals: Sendable {
    /// What the work looks at.
    let cancellation = Cancellation()

    private let first = Mutex<First?>(nil)
    private let resizes = Atomic(0)
    private let restore = Mutex<(@Sendable () -> Void)?>(nil)
    private let answer = Mutex<String?>(nil)

    private struct First {
        let number: Int32
        let moment: ContinuousClock.Instant
    }

    /// For how long signals are one request.
    private static let company = Duration.seconds(1)

    /// Begins to listen.
    ///
    /// - Throws: `NoThread`.
    init() throws(NoThread) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            // A shell without job control lets programs in the background ignore them; what is ignored cannot be waited for.
            // But who has asked for it by nohup means it.
            if number == SIGHUP, Self.isIgnored(number) { continue }
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
        try SystemThread.start { [self] in
            while true {
                var set = waitedFor
                var number: Int32 = 0
                guard sigwait(&set, &number) == 0 else { continue }
                guard number != SIGWINCH else {
                    resizes.add(1, ordering: .relaxed)
                    continue
                }
                if isSecond(number) { obeySecond(number) } else { cancellation.cancel() }
            }
        }
    }

    /// How often the screen's size has changed.
    var resizeCount: Int { resizes.load(ordering: .relaxed) }

    /// 130 after SIGINT, 131 after SIGQUIT, 143 after SIGTERM, 129 after SIGHUP; nil where none came.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0.number } }

    /// Says what has to be done before the program ends at once.
    func beforeExit(_ restore: @escaping @Sendable () -> Void) {
        self.restore.withLock { $0 = restore }
        ProcessLimits.beforeMemoryEnds(restore)
    }

    /// Does work that no signal keeps from being completed.
    ///
    /// - Parameter answer: What a signal is told that comes once more; nil: it is obeyed.
    func completing<Result>(answer: String?, _ work: () throws -> Result) rethrows -> Result {
        self.answer.withLock { $0 = answer }
        defer { self.answer.withLock { $0 = nil } }
        return try work()
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Swift does not see the constant as such a function.
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    private func obeySecond(_ number: Int32) {
        guard let answer = answer.withLock({ $0 }) else {
            restore.withLock { $0 }?()
            _exit(128 + number)
        }
        // Words may wait for ever where nobody reads them, and the next signal must not.
        try? SystemThread.start { Console.note(answer) }
    }

    /// Keeps a signal, where it is the first; whether it is a request of its own after another.
    private func isSecond(_ number: Int32) -> Bool {
        let now = ContinuousClock.now
        return first.withLock { first in
            guard let known = first else {
                first = First(number: number, moment: now)
                return false
            }
            return known.moment.duration(to: now) > Self.company
        }
    }
}
