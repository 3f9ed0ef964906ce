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

    private let signals: [RecordingSignals.Kind: [Float]]
    private let rate: Double
    private let target: Target
    private let jobs: Int
    /// Samples that may be analysed in all, so that the search ends.
    private let work: Mutex<Int>
    private let done = Mutex((trials: 0, isCut: false))

    /// - Parameter work: Samples that may be analysed in all.
    init(
        _ signals: [RecordingSignals.Kind: [Float]], rate: Double, _ target: Target, work: Int, jobs: Int
    ) {
        (self.signals, self.rate, self.target, self.jobs) = (signals, rate, target, jobs)
        self.work = Mutex(work)
    }

    /// Configurations that were tried.
    var count: Int { done.withLock { $0.trials } }
    /// Whether others were left out, because of the work.
    var isCut: Bool { done.withLock { $0.isCut } }

    /// The candidates of trials, in their order; those that cannot be compared are left out.
    ///
    /// - Parameter shifts: Of rows.
    func candidates(_ trials: [Trial], shifts: ClosedRange<Int>) throws -> [Candidate] {
        // Which of them are computed does not depend on the threads.
        let affordable = trials.prefix { afford($0) }
        if affordable.count < trials.count { done.withLock { $0.isCut = true } }
        done.withLock { $0.trials += affordable.count }
        let next = Atomic(0)
        let found = Mutex([Int: Candidate]())
        try WorkerPool.run(max(1, min(jobs, affordable.count))) { [self] _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < affordable.count else { return }
                guard let candidate = candidate(affordable[index], shifts: shifts) else { continue }
                found.withLock { $0[index] = candidate }
            }
        }
        return found.withLock { found in affordable.indices.compactMap { found[$0] } }
    }

    private func afford(_ trial: Trial) -> Bool {
        let samples = (signals[trial.signal]?.count ?? 0) + 16_384
        return work.withLock { work in
            work -= samples
            return work >= 0
        }
    }

    private func candidate(_ trial: Trial, shifts: ClosedRange<Int>) -> Candidate? {
        guard let plan = try? FeaturePlan(trial.configuration, sampleRate: rate), plan.bins == target.matrix.bins,
            let features = features(plan, trial.signal)
        else { return nil }
        guard let (fit, score) = target.fit(features, changes: trial.changes, shifts: shifts) else { return nil }
        let isNear = fit.residue <= 2 * target.tolerance
        return Candidate(
            variations: trial.variations, plan: plan, signal: trial.signal, fit: fit,
            isExplained: isNear && target.difference(features, fit).isEqual(tolerance: target.tolerance), score: score)
    }

    /// The features of a signal; nil: they cannot be computed, or have many more rows than there are, such as by a wrong hop.
    func features(_ plan: FeaturePlan, _ signal: RecordingSignals.Kind) -> FeatureMatrix? {
        guard let samples = signals[signal], plan.frameCount(samples: samples.count) <= 4 * target.matrix.rows + 1000
        else { return nil }
        return try? ExpectedFeatures.rows(of: samples, plan)
    }

    /// The means and standard deviations of features over copies of a signal with noise.
    ///
    /// - Parameter amplitude: The standard deviation of the noise, ±1 being full scale.
    func noisy(_ plan: FeaturePlan, _ signal: RecordingSignals.Kind, amplitude: Double, copies: Int) -> (
        mean: [Double], deviation: [Double]
    )? {
        guard let samples = signals[signal] else { return nil }
        var (sums, squares): ([Double], [Double]) = ([], [])
        for copy in 0..<copies {
            var noise = GaussianNoise(seed: UInt64(copy) + 1)
            let noisy = samples.map { $0 + Float(amplitude * noise.next()) }
            guard let rows = try? ExpectedFeatures.rows(of: noisy, plan) else { return nil }
            if sums.isEmpty {
                sums = Array(repeating: 0, count: rows.values.count)
                squares = sums
            }
            for (index, value) in rows.values.enumerated() {
                sums[index] += Double(value)
                squares[index] += Double(value) * Double(value)
            }
        }
        let number = Double(copies)
        let deviations = zip(sums, squares).map { max(0, ($1 - $0 * $0 / number) / (number - 1)).squareRoot() }
        return (sums.map { $0 / number }, deviations)
    }
}
