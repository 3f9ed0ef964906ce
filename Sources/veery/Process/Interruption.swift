import ArgumentParser
import ClipFeatures
import Concurrency
import DatasetExtraction
import FeatureExport
import Platform
import Synchronization

/// Turns SIGINT (Ctrl-C) and SIGTERM into a request to stop; a second one ends the program at once.
///
/// The signals are blocked in the current thread and those that it starts, and received by a thread of their own: create this
/// before any other thread. If that thread cannot be started, the first signal ends the program at once: finished work is on the
/// disk, as after a crash.
final class Interruption: Sendable {
    private let cancellation = Cancellation()

    private let first = Mutex<Int32?>(nil)
    /// The exit status when patience runs out.
    private static let lastStatus = Atomic(Int32(0))

    /// - Parameters:
    ///   - patience: The time after a signal at which the program ends, even if the work has not stopped; nil: none.
    ///   - lastWords: The text that is then printed on standard error.
    init(patience: Duration? = nil, lastWords: String = "") {
        try? SignalThread.start([SIGINT, SIGTERM]) { [self] in stop($0, patience, lastWords) }
    }

    /// Cancels the work, and ends the program at a second signal or when patience runs out.
    private func stop(_ number: Int32, _ patience: Duration?, _ lastWords: String) {
        first.withLock { $0 = number }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            signal(number) { _exit(128 + $0) }
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        cancellation.cancel()
        guard let patience else {
            while true { pause() }
        }
        usleep(UInt32(patience / .microseconds(1)))
        // Writing may block.
        Self.lastStatus.store(128 + number, ordering: .relaxed)
        signal(SIGALRM) { _ in _exit(Interruption.lastStatus.load(ordering: .relaxed)) }
        ualarm(250_000, 0)
        Console.note(lastWords)
        _exit(128 + number)
    }

    /// Does work that a signal stops, and stops its display.
    ///
    /// - Throws: What the work throws. Where a signal has stopped it, the error is printed, and an `ExitCode` is thrown: 130 after
    ///   SIGINT, 143 after SIGTERM.
    func run<Outcome>(
        stopping display: ProgressDisplay? = nil, _ work: (Cancellation) throws -> Outcome
    ) throws -> Outcome {
        let result = Result { try work(cancellation) }
        display?.stop()
        if case .failure(let error) = result, Self.isStop(error), let number = first.withLock({ $0 }) {
            Console.note("\(error)")
            throw ExitCode(128 + number)
        }
        return try result.get()
    }

    /// Whether an error says that the work was asked to stop.
    private static func isStop(_ error: any Error) -> Bool {
        switch error {
        case ExtractionError.cancelled, ExportError.cancelled, FilteringError.cancelled, SamplesError.cancelled: true
        default: (error as? StoppedExtraction)?.isCancelled ?? false
        }
    }
}

/// Receives signals on a thread of its own.
enum SignalThread {
    /// Blocks signals in the current thread and those that it starts, and calls a closure with each, in turn.
    ///
    /// - Throws: `NoThread`; the signals are not blocked then.
    static func start(_ numbers: [Int32], _ handle: @escaping @Sendable (Int32) -> Void) throws(NoThread) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers {
            // A shell without job control makes background programs ignore them, and ignored signals cannot be waited for. By
            // default, SIGWINCH is discarded, even while it is blocked.
            if number == SIGWINCH { signal(number) { _ in } } else { signal(number, SIG_DFL) }
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waitedFor = signals
        do throws(NoThread) {
            try SystemThread.start {
                while true {
                    var (set, number) = (waitedFor, Int32(0))
                    if sigwait(&set, &number) == 0 { handle(number) }
                }
            }
        } catch {
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            throw error
        }
    }
}
