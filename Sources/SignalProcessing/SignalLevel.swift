import FeatureModel

/// What the samples of a clip are brought to by `condition.remove_dc` and `condition.gain`, once the figures of the clip are known.
public enum SignalLevel: Hashable, Sendable {
    /// Samples stay as they are.
    case none
    /// x − mean, in single precision.
    case centred(mean: Float)
    /// (x − offset) / divisor + base, in double precision.
    case affine(offset: Double, divisor: Double, base: Double)
    /// (x − offset), limited to ±1, rounded towards 0 to the steps of 16-bit PCM.
    case int16(offset: Float)

    /// A sample at this level.
    func applied(_ sample: Float) -> Float {
        switch self {
        case .none: return sample
        case .centred(let mean): return sample - mean
        case .affine(let offset, let divisor, let base):
            let value = Float((Double(sample) - offset) / divisor + base)
            return value.isFinite ? value : value.sign == .minus ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
        case .int16(let offset):
            return (32_767 * min(max(sample - offset, -1), 1)).rounded(.towardZero) / 32_767
        }
    }
}

/// The figures of a signal that arrives in pieces, which its level follows from; see `FeaturePlan.needsSurvey`.
///
/// Summed in double precision, sample after sample, so that the result does not depend on the pieces. Squares are summed over
/// the distance from the first sample, which keeps the variance exact beside a large mean.
public struct SignalSurvey: Sendable {
    private let length: Int?
    private let condition: ConditionConfiguration
    private var count = 0
    private var sum = 0.0
    private var first: Float = 0
    private var shifted = 0.0
    private var squares = 0.0
    private var minimum: Float = 0
    private var maximum: Float = 0

    /// The figures of the part of a signal that `plan` uses: its start where `audio.duration` crops it.
    public init(_ plan: FeaturePlan) {
        length = plan.fixedLength
        condition = plan.configuration.condition
    }

    /// Adds samples.
    public mutating func push(_ samples: UnsafeBufferPointer<Float>) {
        let kept = length.map { min(samples.count, $0 - count) } ?? samples.count
        guard kept > 0 else { return }
        for index in 0..<kept { sum += Double(samples[index]) }
        if condition.gain.needsWholeClip { measure(UnsafeBufferPointer(rebasing: samples[..<kept])) }
        count += kept
    }

    private mutating func measure(_ samples: UnsafeBufferPointer<Float>) {
        if count == 0 { (first, minimum, maximum) = (samples[0], samples[0], samples[0]) }
        for sample in samples {
            let distance = Double(sample) - Double(first)
            shifted += distance
            squares += distance * distance
            minimum = min(minimum, sample)
            maximum = max(maximum, sample)
        }
    }

    /// What the samples are brought to; of no samples, what needs no figures.
    public var level: SignalLevel {
        let mean = count > 0 ? sum / Double(count) : 0
        let offset = condition.removeDC ? mean : 0
        func affine(_ offset: Double, _ divisor: Double, _ base: Double = 0) -> SignalLevel {
            .affine(offset: offset, divisor: divisor > 0 ? divisor : 1, base: base)
        }
        let total = Double(max(count, 1))
        let variance = max(0, squares - shifted * (shifted / total)) / total
        switch condition.gain {
        case .none: return offset == 0 ? .none : .centred(mean: Float(offset))
        case .int16: return .int16(offset: Float(offset))
        case .peak(let level):
            return affine(offset, max(Double(maximum) - offset, offset - Double(minimum)) / level)
        case .minmax(let epsilon):
            // 2 ((x − min) / d − ½) = (x − min) / (d / 2) − 1
            return affine(Double(minimum), (Double(maximum) - Double(minimum) + epsilon) / 2, -1)
        case .zscore(let epsilon): return affine(mean, (variance + epsilon).squareRoot())
        case .rms(let epsilon):
            let power = condition.removeDC ? variance : variance + mean * mean
            return affine(offset, power.squareRoot() + epsilon)
        }
    }
}
