/// Decides how many workers of a pool work, by what they make of the processors.
///
/// Workers that read a slow disk wait, and processors idle: then more of them work, as long as the work gets faster by that.
/// Where processors have enough to do, be it for other processes, fewer do, down to the usual number. How fast the work goes is
/// measured by the processor time that it takes: it is the same for the same clips, whether they are few long or many short ones.
struct WorkerController {
    /// What is known at one moment.
    struct Sample {
        /// In seconds from any moment on.
        var time: Double
        /// Parts of the work that were started since the beginning.
        var turns: Int
    }

    private let workers: WorkerRange
    private let processors: Double
    /// How many should work.
    private(set) var wanted: Int
    /// How many can, since the system has refused a further thread.
    private var most: Int

    /// The start of what is measured now.
    private var start: (sample: Sample, use: ProcessorUse)
    /// Whether workers have yet to start since the last change.
    private var isSettling = true
    /// What there was before the last growth, which is to show its use; nil: it has.
    private var trial: (wanted: Int, running: Double)?
    /// How often in a row processors have idled.
    private var idleTimes = 0
    /// Seconds until the next growth.
    private var pause = 0.0
    /// Those after a growth that brought nothing.
    private var patience = shortPause

    /// A measurement takes so many seconds at least, and as long as each worker needs for two turns; but not longer than a second
    /// if these take very long.
    private static let (shortest, longest) = (0.04, 1.0)
    /// Parts of what the processors can do: below the first they idle, below the second they hardly do anything; that which a
    /// growth aims at; that from which on they are busy.
    private static let (idle, hardlyUsed, aim, busy) = (0.75, 0.25, 0.9, 0.95)
    /// The part of the gain that a growth would have if no worker hindered another: with less it is taken back.
    private static let gain = 0.2
    /// Processors in use, below which a gain cannot be measured.
    private static let negligible = 0.02
    private static let (shortPause, longPause) = (1.0, 30.0)

    /// - Parameters:
    ///   - workers: As many as there are processors, and how many there may be.
    ///   - sample: The present.
    ///   - use: The use of processors until now.
    init(_ workers: WorkerRange, _ sample: Sample, _ use: ProcessorUse) {
        self.workers = workers
        (processors, wanted, most) = (Double(workers.usual), workers.usual, workers.maximum)
        start = (sample, use)
    }

    /// Takes note that the system gives no more than so many threads.
    mutating func limit(to count: Int) {
        most = min(most, count)
        wanted = min(wanted, most)
    }

    /// Looks at what has happened since the last time.
    ///
    /// - Parameters:
    ///   - sample: The present.
    ///   - use: The use of processors until now, which is looked up only if enough has happened.
    /// - Returns: Whether that was so; `wanted` may be another number then.
    mutating func next(_ sample: Sample, _ use: () -> ProcessorUse) -> Bool {
        let (seconds, turns) = (sample.time - start.sample.time, sample.turns - start.sample.turns)
        let isLong = seconds >= Self.longest
        if isSettling {
            guard turns >= wanted || isLong else { return false }
            isSettling = false
            start = (sample, use())
            return false
        }
        guard seconds >= Self.shortest, turns >= 2 * wanted || isLong else { return false }
        let now = use()
        let (running, queueing) = (
            max(now.running - start.use.running, 0) / seconds, max(now.queueing - start.use.queueing, 0) / seconds
        )
        start = (sample, now)
        pause -= seconds
        let before = wanted
        decide(running: running, queueing: queueing)
        isSettling = wanted > before
        return true
    }

    /// - Parameters:
    ///   - running: Processors that the process has used, on average.
    ///   - queueing: Threads that have waited for a processor, on average.
    private mutating func decide(running: Double, queueing: Double) {
        let excess = excess(running: running, queueing: queueing)
        if wanted > workers.usual, excess > 0 {
            wanted = max(workers.usual, wanted - excess)
            (trial, idleTimes, pause) = (nil, 0, max(pause, Self.shortPause))
            return
        }
        if let trial {
            self.trial = nil
            let growth = Double(wanted) / Double(trial.wanted) - 1
            if running > Self.negligible, running < trial.running * (1 + Self.gain * growth) {
                wanted = trial.wanted
                (idleTimes, pause) = (0, patience)
                patience = min(2 * patience, Self.longPause)
                return
            }
            patience = Self.shortPause
        }
        let demand = (running + queueing) / processors
        guard demand < Self.idle else {
            idleTimes = 0
            return
        }
        idleTimes += 1
        // Once may be chance, such as a wait for the disk that is written to.
        guard idleTimes > 1 || demand < Self.hardlyUsed, pause <= 0, wanted < most else { return }
        trial = (wanted, running)
        let estimate = Double(wanted) * min(Self.aim / max(demand, 1e-3), 2)
        wanted = min(most, max(wanted + 1, Int(estimate)))
    }

    /// How many workers processors have no use for.
    private func excess(running: Double, queueing: Double) -> Int {
        if running >= Self.busy * processors { return max(1, Int(queueing / 2)) }
        // Other processes use them.
        return queueing > processors ? max(1, Int((queueing - processors) / 2)) : 0
    }
}
