import Concurrency
import Platform
import Synchronization

/// Turns SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM and SIGHUP into a request to stop, and counts changes of the screen's
/// size (SIGWINCH).
///
/// Signals within a second are one request: closing a terminal or stopping a service sends two. A later signal restores the screen
/// and ends the program at once; while a recording is being completed (`completing`), it only prints an answer.
///
/// The signals are blocked in the current thread and those that it starts, and received by a thread of their own: create this
/// before any other thread.
final class LiveSignals: Sendable {
    let cancellation = Cancellation()

    private let first = Mutex<(number: Int32, moment: ContinuousClock.Instant)?>(nil)
    private let resizes = Atomic(0)
    private let restore = Mutex<(@Sendable () -> Void)?>(nil)
    private let answer = Mutex<String?>(nil)

    /// Within this time, signals are one request.
    private static let window = Duration.seconds(1)

    init() throws(NoThread) {
        // Under nohup, SIGHUP is still ignored.
        let hangup = Self.isIgnored(SIGHUP) ? [] : [SIGHUP]
        // If the reader of the filtered samples is gone, write() reports it.
        signal(SIGPIPE, SIG_IGN)
        try SignalThread.start([SIGINT, SIGQUIT, SIGTERM, SIGWINCH] + hangup) { [self] number in
            if number == SIGWINCH {
                resizes.add(1, ordering: .relaxed)
            } else if isSecond(number) {
                handleSecond(number)
            } else {
                cancellation.cancel()
            }
        }
    }

    var resizeCount: Int { resizes.load(ordering: .relaxed) }

    /// 130 after SIGINT, 131 after SIGQUIT, 143 after SIGTERM, 129 after SIGHUP; nil: no signal.
    var exitStatus: Int32? { first.withLock { $0 }.map { 128 + $0.number } }

    /// Sets an action before the program ends at once.
    func beforeExit(_ restore: @escaping @Sendable () -> Void) {
        self.restore.withLock { $0 = restore }
        ProcessLimits.onMemoryExhausted(restore)
    }

    /// Does work that signals do not interrupt.
    ///
    /// - Parameter answer: The text to print on a second signal; nil: it ends the program.
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

    private func handleSecond(_ number: Int32) {
        guard let answer = answer.withLock({ $0 }) else {
            restore.withLock { $0 }?()
            _exit(128 + number)
        }
        // Writing may block, and the next signal must not wait for it.
        try? SystemThread.start { Console.note(answer) }
    }

    private func isSecond(_ number: Int32) -> Bool {
        let now = ContinuousClock.now
        return first.withLock { first in
            guard let known = first else {
                first = (number, now)
                return false
            }
            return known.moment.duration(to: now) > Self.window
        }
    }
}
