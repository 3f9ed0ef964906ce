import Concurrency
import FeatureModel
import SignalProcessing
import Synchronization

/// Computes the features of changed configurations, on several threads.
final class Trials: Sendable {
    /// A configuration to try.
    struct Trial: Sendable {
        let variations: [Variation]
        let configuration: FeatureConfiguration
        let signal: RecordingSignals.Kind
        /// Number of keys that are changed.
        let changes: Int
    }

    private let signals: [RecordingSignals.Kind: [[Float]]]
    private let rate: Double
    private let target: Target
    private let jobs: Int
    /// Samples that may be analysed in all, so that the search ends: by the excerpt if there is one, and of whole clips.
    private let work: Mutex<(part: Int, whole: Int)>
    private let done = Mutex((trials: 0, isCut: false))

    /// - Parameters:
    ///   - configuration: The expected one.
    ///   - work: Samples that may be analysed in all.
    init(
        _ configuration: FeatureConfiguration, _ signals: [RecordingSignals.Kind: [[Float]]], rate: Double,
        _ target: Target, work: Int, jobs: Int
    ) {
        (self.signals, self.rate, self.target, self.jobs) = (signals, rate, target, jobs)
        // With an excerpt, the few changes that need the whole clip must not use up all of the work.
        let isByExcerpt = target.excerpt?.isLocal(configuration) ?? false
        self.work = Mutex((part: work, whole: isByExcerpt ? work / 4 : work))
    }

    /// Configurations that were tried.
    var count: Int { done.withLock { $0.trials } }
    /// Whether others were left out, because of the work.
    var isCut: Bool { done.withLock { $0.isCut } }

    /// The candidates of trials, in their order; those that cannot be compared are left out.
    ///
    /// - Parameter shifts: The shifts of rows to try.
    func candidates(_ trials: [Trial], shifts: ClosedRange<Int>) throws -> [Candidate] {
        let plans = trials.map {
            try? FeaturePlan($0.configuration, sampleRate: rate, frameShift: $0.variations.frameShift)
        }
        // Which of them are computed does not depend on the threads.
        let affordable = trials.indices.filter { afford(plans[$0], trials[$0].signal) }
        done.withLock { $0.trials += affordable.count }
        let found = try map(affordable.count) { [self] index in
            plans[affordable[index]].flatMap { candidate(trials[affordable[index]], $0, shifts: shifts) }
        }
        return found.compactMap(\.self)
    }

    /// Why none of some trials could be compared.
    func lack(_ trials: [Trial]) -> SearchOutcome.Lack {
        let rows = trials.compactMap { trial -> Bool? in
            let plan = try? FeaturePlan(
                trial.configuration, sampleRate: rate, frameShift: trial.variations.frameShift)
            guard let plan, let signals = signals[trial.signal], let count = signals.first?.count,
                plan.bins * signals.count == target.matrix.bins
            else { return nil }
            return hasUsualRows(plan, samples: count)
        }
        guard !rows.isEmpty else { return .bins }
        return isCut ? .work : rows.contains(true) ? .values : .rows
    }

    /// Whether a plan has not many more rows than there are, such as by a wrong hop.
    private func hasUsualRows(_ plan: FeaturePlan, samples: Int) -> Bool {
        plan.frameCount(samples: samples) <= 4 * target.matrix.rows + 1000
    }

    /// The results of a function for the numbers up to `count`, in their order.
    private func map<Result: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) -> Result?
    ) throws -> [Result?] {
        let next = Atomic(0)
        let found = Mutex([Int: Result]())
        try WorkerPool.run(max(1, min(jobs, count))) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                guard let result = body(index) else { continue }
                found.withLock { $0[index] = result }
            }
        }
        return found.withLock { found in (0..<count).map { found[$0] } }
    }

    private func afford(_ plan: FeaturePlan?, _ signal: RecordingSignals.Kind, copies: Int = 1) -> Bool {
        guard let plan, let signals = signals[signal], let count = signals.first?.count else { return true }
        let cost = copies * ((target.excerpt?.cost(plan, samples: count) ?? count) * signals.count + 16_384)
        let isPart = target.excerpt?.isLocal(plan.configuration) ?? false
        let isPaid = work.withLock { work in
            guard cost <= (isPart ? work.part : work.whole) else { return false }
            if isPart { work.part -= cost } else { work.whole -= cost }
            return true
        }
        if !isPaid { done.withLock { $0.isCut = true } }
        return isPaid
    }

    private func candidate(_ trial: Trial, _ plan: FeaturePlan, shifts: ClosedRange<Int>) -> Candidate? {
        guard let features = features(plan, trial.signal) else { return nil }
        guard let best = target.fit(features, changes: trial.changes, shifts: shifts) else { return nil }
        let fit = best.fit
        let isNear = fit.residue <= 2 * (target.tolerance + target.rounding)
        return Candidate(
            variations: trial.variations, plan: plan, signal: trial.signal, fit: fit,
            isExplained: isNear && target.difference(features, fit).isEqual(tolerance: target.tolerance),
            freedom: target.freedom(fit, changes: trial.changes), score: best.score,
            plainScore: best.plainScore, exactScore: best.exactScore)
    }

    /// The features of a signal, by the excerpt if there is one; nil: they cannot be computed, have another number of bins, or have
    /// many more rows than there are.
    func features(
        _ plan: FeaturePlan, _ signal: RecordingSignals.Kind, change: ([Float]) -> [Float] = { $0 }
    ) -> TrialFeatures? {
        guard let signals = signals[signal], let count = signals.first?.count,
            plan.bins * signals.count == target.matrix.bins,
            hasUsualRows(plan, samples: count)
        else { return nil }
        if let excerpt = target.excerpt { return try? excerpt.features(signals, plan, change: change) }
        return (try? ExpectedFeatures.rows(of: signals.map(change), plan)).map { TrialFeatures($0) }
    }

    /// Whether a signal has rows of digital silence.
    func hasSilence(_ plan: FeaturePlan, _ signal: RecordingSignals.Kind) -> Bool {
        signals[signal]?.contains { !SilentRows.rows(of: $0, plan).isEmpty } ?? false
    }

    /// The features of a whole clip.
    func whole(_ plan: FeaturePlan, _ signal: RecordingSignals.Kind) -> TrialFeatures? {
        guard let signals = signals[signal] else { return nil }
        return (try? ExpectedFeatures.rows(of: signals, plan)).map { TrialFeatures($0) }
    }

    /// Features of copies of a signal with noise, which differs from copy to copy; nil: they cannot be computed, or cost too much.
    ///
    /// - Parameter amplitude: The standard deviation of the noise, ±1 being full scale.
    func noisy(
        _ plan: FeaturePlan, _ signal: RecordingSignals.Kind, amplitude: Double, copies: Int
    ) -> [FeatureMatrix]? {
        guard afford(plan, signal, copies: copies) else { return nil }
        let found = try? map(copies) { [self] copy in
            var noise = GaussianNoise(seed: UInt64(copy) + 1)
            return features(plan, signal) { $0.map { $0 + Float(amplitude * noise.next()) } }?.matrix
        }
        guard let found, found.allSatisfy({ $0 != nil }) else { return nil }
        return found.compactMap(\.self)
    }
}
