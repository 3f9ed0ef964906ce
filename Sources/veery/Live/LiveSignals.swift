import Concurrency
import Foundation
import Synchronization

/// Turns SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM and SIGHUP into a request to stop, and counts changes of the screen's
/// size (SIGWINCH).
///
/// Signals within a second are one request: closing a terminal sends two, and so does stopping a service. A later signal
/// restores the screen and ends the program at once; while a recording is being completed (`completing`), it only prints an
/// answer.
///
/// The signals are blocked in the current thread and those that it starts afterwards, and received by a thread of their own:
/// create this before any other thread.
final class LiveSignals: Sendable {
    /// Cancelled by the first signal.
    let cancellation = Cancellation()

    private let first = Mutex<First?>(nil)
    private let resizes = Atomic(0)
    private let restore = Mutex<(@Sendable () -> Void)?>(nil)
    private let answer = Mutex<String?>(nil)

    private struct First {
        let number: Int32
        let moment: ContinuousClock.Instant
    }

    /// Within this time, signals are one request.
    private static let window = Duration.seconds(1)

    /// Starts to receive signals.
    init() throws(NoThread) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            // A shell without job control makes background programs ignore them, and ignored signals cannot be waited for.
            // Under nohup, SIGHUP stays ignored.
            if number == SIGHUP, Self.isIgnored(number) { continue }
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        sigaddset(&signals, SIGWINCH)
        // By default it is discarded, even while it is blocked.
        signal(SIGWINCH) { _ in }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // When the reader of the filtered samples is gone, write() reports it.
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

    var resizeCount: Int { resizes.load(ordering: .relaxed) }

    /// 130 after SIGINT, 131 after SIGQUIT, 143 after SIGTERM, 129 after SIGHUP; nil where none came.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0.number } }

    /// Sets what is done before the program ends at once.
    func beforeExit(_ restore: @escaping @Sendable () -> Void) {
        self.restore.withLock { $0 = restore }
        ProcessLimits.beforeMemoryEnds(restore)
    }

    /// Does work that no signal interrupts.
    ///
    /// - Parameter answer: What is printed on a second signal; nil: it ends the program.
    func completing<Result>(answer: String?, _ work: () throws -> Result) rethrows -> Result {
        self.answer.withLock { $0 = answer }
        defer { self.answer.withLock { $0 = nil } }
        return try work()
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Swift does not import SIG_IGN as such a function.
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
        // Writing may block for ever, and the next signal must not wait for it.
        try? SystemThread.start { Console.note(answer) }
    }

    /// Records the first signal; returns whether this is a second request.
    private func isSecond(_ number: Int32) -> Bool {
        let now = ContinuousClock.now
        return first.withLock { first in
            guard let known = first else {
                first = First(number: number, moment: now)
                return false
            }
            return known.moment.duration(to: now) > Self.window
        }
    }
}
