/// Decides how many workers of a pool work, by their use of the processors.
///
/// Workers that read a slow disk wait, and processors idle: then more workers work, as long as that makes the work faster.
/// If processors are busy, be it with other processes, fewer do, down to the usual number.
struct WorkerController {
    /// What is known at one moment.
    struct Sample {
        /// In seconds from any moment on.
        var time: Double
        /// Parts of the work that were started since the beginning.
        var turns: Int
    }

    /// What happened in each second, on average.
    private struct Rates {
        /// Processors that the process used. It grows with the audio that was read, in few long clips or many short ones.
        let running: Double
        /// Threads that waited for a processor.
        let queueing: Double
        /// Parts of the work that were started. It varies less than the others if the parts are alike.
        let turns: Double
    }

    /// An increase of the number of workers whose effect is not known yet.
    private struct Trial {
        /// What there was before.
        let wanted: Int
        let rates: Rates
        /// Whether it has shown none so far: once may be chance.
        var isDoubted = false
    }

    private let workers: WorkerRange
    private let processors: Double
    /// How many should work.
    private(set) var wanted: Int
    /// How many can, since the system has refused a further thread.
    private var most: Int

    /// The start of what is measured now.
    private var start: (sample: Sample, use: ProcessorUse)
    /// Workers that have yet to start, after a change; nil: all have.
    private var settling: Int?
    /// The last growth; nil: it has shown its use.
    private var trial: Trial?
    /// For how many seconds processors have idled.
    private var idleSeconds = 0.0
    /// Seconds until the next growth.
    private var pause = 0.0
    /// Those after a growth that brought nothing.
    private var patience = shortPause

    /// A measurement takes so many seconds at least, and as long as each worker needs for two turns; but not longer than a second
    /// if these take very long.
    private static let (shortest, longest) = (0.04, 1.0)
    /// Seconds of idling that are no chance, such as a wait for the disk that is written to; fewer if hardly anything runs.
    private static let (moment, shortMoment) = (0.15, 0.075)
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
        settling = wanted
        start = (sample, use)
    }

    /// Takes note that the system gives no more than so many threads.
    mutating func limit(to count: Int) {
        most = min(most, count)
        wanted = min(wanted, most)
        trial = nil
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
        if let started = settling {
            guard turns >= started || isLong else { return false }
            settling = nil
            start = (sample, use())
            return false
        }
        guard seconds >= Self.shortest, turns >= 2 * wanted || isLong else { return false }
        let now = use()
        let rates = Rates(
            running: max(now.running - start.use.running, 0) / seconds,
            queueing: max(now.queueing - start.use.queueing, 0) / seconds, turns: Double(turns) / seconds)
        start = (sample, now)
        pause -= seconds
        let before = wanted
        decide(rates, seconds)
        settling = wanted > before ? wanted - before : nil
        return true
    }

    private mutating func decide(_ rates: Rates, _ seconds: Double) {
        let excess = excess(rates)
        if wanted > workers.usual, excess > 0 {
            wanted = max(workers.usual, wanted - excess)
            (trial, idleSeconds, pause) = (nil, 0, max(pause, Self.shortPause))
            return
        }
        if let trial {
            if isUseful(trial, rates) {
                (self.trial, patience) = (nil, Self.shortPause)
            } else if trial.isDoubted {
                wanted = trial.wanted
                (self.trial, idleSeconds, pause) = (nil, 0, patience)
                patience = min(2 * patience, Self.longPause)
                return
            } else {
                self.trial?.isDoubted = true
                return
            }
        }
        let demand = (rates.running + rates.queueing) / processors
        guard demand < Self.idle else {
            idleSeconds = 0
            return
        }
        idleSeconds += seconds
        let isHardlyUsed = demand < Self.hardlyUsed
        let isLasting =
            idleSeconds >= (isHardlyUsed ? Self.shortMoment : Self.moment) || isHardlyUsed && wanted > workers.usual
        guard isLasting, pause <= 0, wanted < most else { return }
        trial = Trial(wanted: wanted, rates: rates)
        let estimate = Double(wanted) * min(Self.aim / max(demand, 1e-3), 2)
        wanted = min(most, max(wanted + 1, Int(estimate)))
    }

    /// How many workers processors have no use for.
    private func excess(_ rates: Rates) -> Int {
        if rates.running >= Self.busy * processors { return max(1, Int(rates.queueing / 2)) }
        // Other processes use them.
        return rates.queueing > processors ? max(1, Int((rates.queueing - processors) / 2)) : 0
    }

    /// Whether the work goes faster since a growth, or is too slow for one to harm.
    private func isUseful(_ trial: Trial, _ rates: Rates) -> Bool {
        let least = 1 + Self.gain * (Double(wanted) / Double(trial.wanted) - 1)
        return rates.running >= least * trial.rates.running || rates.turns >= least * trial.rates.turns
            || rates.running <= Self.negligible
    }
}
