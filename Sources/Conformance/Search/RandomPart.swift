import FeatureModel
import Platform
import SignalProcessing

/// Seeded noise of mean 0 and variance 1: SplitMix64, and the method of Box and Muller.
struct GaussianNoise {
    private var state: UInt64
    private var spare: Double?

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// A number in 0 < u ≤ 1.
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return (Double(mixed >> 11) + 1) * 0x1p-53
    }

    mutating func next() -> Double {
        if let spare {
            self.spare = nil
            return spare
        }
        let (radius, angle) = ((-2 * log(uniform())).squareRoot(), 2 * Double.pi * uniform())
        spare = radius * sin(angle)
        return radius * cos(angle)
    }
}

/// Noise that was added to the samples before the features were computed: dither.
///
/// It cannot be undone, but recognised: each value is as far off as noise of that strength would make it, no farther and no nearer.
package struct RandomPart: Hashable, Sendable {
    /// The standard deviation of the noise, ±1 being full scale.
    package let amplitude: Double

    /// Kaldi's dither of 1, and others by factors of about 3; NeMo's is 1e-5.
    private static let amplitudes = [1 / 32_768.0, 1e-5, 3e-6, 1e-6, 1e-4, 3e-4, 1e-3, 3e-3]
    private static let copies = 8
    /// The mean square of the differences, each divided by what is expected, is 1 for the right noise. Its bounds allow for one
    /// between two amplitudes.
    private static let bounds = 0.3...3.0

    /// The noise that explains what a candidate leaves; nil: none does.
    static func find(_ candidate: Candidate, _ fit: ValueFit, _ target: Target, _ trials: Trials) -> RandomPart? {
        var best: (part: RandomPart, distance: Double)?
        for amplitude in amplitudes {
            guard
                let (mean, deviation) = trials.noisy(
                    candidate.plan, candidate.signal, amplitude: amplitude, copies: copies),
                let ratio = ratio(fit, target, mean, deviation), bounds.contains(ratio)
            else { continue }
            let distance = abs(log(ratio))
            if distance < best?.distance ?? .infinity { best = (RandomPart(amplitude: amplitude), distance) }
        }
        return best?.part
    }

    private static func ratio(
        _ fit: ValueFit, _ target: Target, _ mean: [Double], _ deviation: [Double]
    ) -> Double? {
        let width = target.matrix.bins
        guard mean.count == fit.rows.expectedRows * width else { return nil }
        let floor = target.tolerance * target.range
        // The mean of the copies is itself uncertain.
        let uncertainty = 1 + 1 / Double(copies)
        var (sum, count, noisy) = (0.0, 0, 0)
        for pair in 0..<(fit.rows.count * width) {
            let index = fit.rows.expectedStart * width + pair
            let given = Double(target.matrix.values[fit.rows.givenStart * width + pair])
            guard given.isFinite else { continue }
            let spread = fit.factor[0] * deviation[index]
            let difference = given - fit.value(mean[index], bin: 0)
            sum += min(difference * difference / (spread * spread * uncertainty + floor * floor), 25)
            count += 1
            if spread > floor { noisy += 1 }
        }
        // Noise that no value shows explains nothing.
        return count > 0 && noisy * 10 >= count ? sum / Double(count) : nil
    }
}
