import FeatureModel
import Platform
import SignalProcessing

/// Noise that was added to the samples before the features were computed: dither.
///
/// It cannot be undone, only recognised: the differences are distributed as those of copies with such noise, in all parts of the
/// array, whether loud or quiet, early or late, in low or in high bins.
package struct RandomPart: Hashable, Sendable {
    /// The standard deviation of the noise, ±1 being full scale.
    package let amplitude: Double
    /// Whether the recording has digital silence (`SilentRows`), in which the noise is all that changes.
    package let isAloneInSilence: Bool

    /// The strengths to start from, by factors of 10^½. Kaldi's dither of 1 is 3.05e-5, NeMo's is 1e-5.
    private static let amplitudes = stride(from: -7.0, through: -2.0, by: 0.5).map { pow(10, $0) }
    private static let refinements = [0.6, 0.8, 1.25, 1.6]
    private static let roughCopies = 3
    private static let copies = 8
    /// Steps from the roughly fitted strength.
    private static let steps = 6

    /// The noise that explains what a candidate leaves; nil: none does.
    ///
    /// - Parameter hasSilence: Whether the recording has digital silence.
    static func find(
        _ candidate: Candidate, _ fit: ValueFit, _ target: Target, _ trials: Trials, hasSilence: Bool
    ) -> RandomPart? {
        guard fit.rows.isComplete else { return nil }
        func scores(_ amplitude: Double, _ copies: Int) -> NoiseScores? {
            guard
                let matrices = trials.noisy(candidate.plan, candidate.signal, amplitude: amplitude, copies: copies + 1),
                let features = trials.features(candidate.plan, candidate.signal)
            else { return nil }
            return NoiseScores(matrices, fit, target, target.pairs(features, fit.rows))
        }
        var best: (amplitude: Double, cost: Double)?
        func consider(_ amplitude: Double) {
            guard let cost = scores(amplitude, roughCopies)?.cost else { return }
            if cost < best?.cost ?? .infinity { best = (amplitude, cost) }
        }
        amplitudes.forEach(consider)
        guard let rough = best?.amplitude else { return nil }
        refinements.forEach { consider($0 * rough) }
        guard var amplitude = best?.amplitude else { return nil }
        for _ in 0..<steps {
            guard let scores = scores(amplitude, copies) else { return nil }
            guard let ratio = scores.ratio else { return nil }
            if scores.agree { return RandomPart(amplitude: amplitude * ratio, isAloneInSilence: hasSilence) }
            guard (0.25...4).contains(ratio), abs(ratio - 1) > 0.01 else { return nil }
            amplitude *= ratio
        }
        return nil
    }
}

/// How given values lie among features of copies with noise: each as a number of standard deviations from the mean of the copies.
/// One more copy, which is not part of the mean, shows how far off mere noise is.
struct NoiseScores {
    /// A value.
    private struct Score {
        let given: Double
        let noise: Double
        let spread: Double
        let row: Int
        let bin: Int
    }

    /// Values that noise hardly changes.
    private struct Quiet {
        private(set) var count = 0
        private var sum = 0.0
        /// The greatest difference, as a share of the range.
        private(set) var greatest = 0.0

        /// The root of the mean square, likewise.
        var typical: Double { count > 0 ? (sum / Double(count)).squareRoot() : 0 }

        mutating func add(_ share: Double) {
            (count, sum, greatest) = (count + 1, sum + share * share, max(greatest, share))
        }
    }

    /// Values that noise changes.
    private var scores: [Score] = []
    /// The others, such as those at a limit that only a few copies reach: how far given ones and those of the noise are off.
    private var quiet = (given: Quiet(), noise: Quiet())
    private let tolerance: Double
    /// The mean of the negative logarithm of the likelihood of the given values, the lower, the better.
    private(set) var cost = 0.0

    /// Scores up to which squares count, so that a few values do not decide.
    private static let limit = 5.0
    /// The fewest values of a part that are significant.
    private static let fewest = 100

    /// - Parameter matrices: Features of the copies; the last is the one that is compared with the others.
    init?(_ matrices: [FeatureMatrix], _ fit: ValueFit, _ target: Target, _ rows: RowAlignment) {
        guard let noise = matrices.last, matrices.count > 2 else { return nil }
        let copies = Double(matrices.count - 1)
        let width = target.given.bins
        tolerance = target.tolerance
        let floor = target.tolerance * target.range.whole
        for pair in 0..<(rows.count * width) {
            let index = rows.expectedStart * width + pair
            let given = Double(target.given.values[rows.givenStart * width + pair])
            guard given.isFinite else { return nil }
            let values = matrices.dropLast().map { Double($0.values[index]) }
            let mean = values.reduce(0, +) / copies
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (copies - 1)
            // The mean of the copies is itself uncertain.
            let spread = (variance * (1 + 1 / copies)).squareRoot()
            let (off, noisy) = (given - mean, Double(noise.values[index]) - mean)
            let whole = spread * spread + floor * floor
            cost += log(whole) + min(off * off / whole, Self.limit * Self.limit)
            guard spread > floor else {
                quiet.given.add(abs(off) / target.range.whole)
                quiet.noise.add(abs(noisy) / target.range.whole)
                continue
            }
            scores.append(
                Score(
                    given: off / spread, noise: noisy / spread, spread: spread, row: pair / width, bin: pair % width))
        }
        guard rows.count > 0 else { return nil }
        cost /= Double(rows.count * width)
    }

    /// The strength of the given noise as a multiple of that of the copies; nil: too few values show any.
    var ratio: Double? { Self.ratio(scores[...]) }

    /// Whether all parts of the values are distributed as noise is.
    var agree: Bool {
        // Noise that hardly any value shows explains nothing.
        guard scores.count >= Self.fewest, scores.count * 10 >= scores.count + quiet.given.count else { return false }
        let isQuiet =
            quiet.given.typical <= max(2 * tolerance, 1.5 * quiet.noise.typical)
            && quiet.given.greatest <= max(ValueDifference.maximumFactor * tolerance, 3 * quiet.noise.greatest)
        guard isQuiet else { return false }
        let parts =
            [scores[...]] + parts { $0.spread } + parts { Double($0.row) } + parts { Double($0.bin) }
        for part in parts {
            guard Self.ratio(part).map({ Self.isNear($0, values: part.count) }) ?? true else { return false }
        }
        // The shape of the distribution: most values, and the few that are far off.
        let (given, noise) = (scores.map { abs($0.given) }.sorted(), scores.map { abs($0.noise) }.sorted())
        for share in [0.25, 0.5, 0.75, 0.9, 0.97] {
            let index = Int(share * Double(given.count - 1))
            guard Self.isNear(given[index] / max(noise[index], 1e-9), values: given.count / 10) else { return false }
        }
        let far = (noise.last ?? 0) * 3
        return given.last.map { $0 <= far } ?? false
    }

    /// Whether a ratio is as near to 1 as that of noise to noise is with this number of values.
    private static func isNear(_ ratio: Double, values: Int) -> Bool {
        let bound = 1.08 + 3 / Double(max(values, 1)).squareRoot()
        return ratio <= bound && ratio >= 1 / bound
    }

    /// The values in four parts, by the size of something.
    private func parts(_ size: (Score) -> Double) -> [ArraySlice<Score>] {
        let ordered = scores.sorted { size($0) < size($1) }
        guard ordered.count >= 4 * Self.fewest else { return [] }
        return (0..<4).map { ordered[($0 * ordered.count / 4)..<(($0 + 1) * ordered.count / 4)] }
    }

    /// The root of the ratio of the mean squares.
    private static func ratio(_ scores: ArraySlice<Score>) -> Double? {
        guard scores.count >= fewest else { return nil }
        func square(_ value: Double) -> Double { min(value * value, limit * limit) }
        let noise = scores.reduce(0) { $0 + square($1.noise) }
        guard noise > 0 else { return nil }
        return (scores.reduce(0) { $0 + square($1.given) } / noise).squareRoot()
    }
}
