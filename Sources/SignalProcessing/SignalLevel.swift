import FeatureModel

/// What follows from the statistics of a whole clip: which part of it is used (`audio.crop`), and the offset and gain that
/// `condition.remove_dc` and `condition.gain` apply to its samples.
public struct SignalLevel: Hashable, Sendable {
    /// What is done to a sample.
    public enum Change: Hashable, Sendable {
        /// Samples are not changed.
        case none
        /// x − mean, in single precision.
        case centred(mean: Float)
        /// (x − offset) / divisor + base, in double precision.
        case affine(offset: Double, divisor: Double, base: Double)
        /// (x − offset), limited to ±1, rounded towards 0 to the steps of 16-bit PCM.
        case int16(offset: Float)
        /// (x − offset), limited to ±level.
        case clamped(offset: Float, level: Float)
    }

    /// What is done to a sample.
    public let change: Change
    /// Index of the first sample that is used.
    public let first: Int

    /// The clip as it is, from its first sample on.
    public static let none = SignalLevel(.none)

    /// Keeps the values.
    public init(_ change: Change, first: Int = 0) { (self.change, self.first) = (change, first) }

    /// A sample at this level.
    func applied(_ sample: Float) -> Float {
        switch change {
        case .none: return sample
        case .centred(let mean): return sample - mean
        case .affine(let offset, let divisor, let base):
            let value = Float((Double(sample) - offset) / divisor + base)
            return value.isFinite ? value : value.sign == .minus ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
        case .int16(let offset):
            return (32_767 * min(max(sample - offset, -1), 1)).rounded(.towardZero) / 32_767
        case .clamped(let offset, let level): return min(max(sample - offset, -level), level)
        }
    }
}

/// The statistics of a signal that arrives in pieces, from which its level is computed; see `FeaturePlan.needsSurvey`.
///
///     var survey = SignalSurvey(plan)
///     while survey.needsPass {
///         survey.push(samples)                            // all samples, in pieces of any size
///         survey.endPass()
///     }
///     stream.start(survey.level)
///
/// Summed in double precision, sample after sample, so that the result does not depend on the pieces. Squares are summed over
/// the distance from the first sample, which keeps the variance exact even with a large mean.
public struct SignalSurvey: Sendable {
    private let length: Int?
    private let condition: ConditionConfiguration
    private let needsLevel: Bool
    /// Passes over the signal that are left.
    private var passes: Int
    /// Whether this pass counts samples only.
    private var isCounting: Bool
    /// Samples of the signal that were pushed in this pass.
    private var received = 0
    /// Index of the first sample that is used.
    private var firstUsed = 0
    /// Samples that were used.
    private var count = 0
    private var sum = 0.0
    private var first: Float = 0
    private var shifted = 0.0
    private var squares = 0.0
    private var minimum: Float = 0
    private var maximum: Float = 0

    /// A survey of the part of a signal that `plan` uses.
    public init(_ plan: FeaturePlan) {
        length = plan.fixedLength
        condition = plan.configuration.condition
        needsLevel = plan.needsLevel
        isCounting = plan.isCropCentred
        passes = (isCounting ? 1 : 0) + (needsLevel ? 1 : 0)
    }

    /// Whether all samples have to be pushed, once more where they were already.
    public var needsPass: Bool { passes > 0 }

    /// Marks the end of a pass.
    public mutating func endPass() {
        passes -= 1
        if isCounting, let length { firstUsed = max(received - length, 0) / 2 }
        isCounting = false
        received = 0
    }

    /// Adds samples.
    public mutating func push(_ samples: UnsafeBufferPointer<Float>) {
        let skipped = min(max(firstUsed - received, 0), samples.count)
        received += samples.count
        guard !isCounting else { return }
        let kept = min(samples.count - skipped, length.map { $0 - count } ?? .max)
        guard kept > 0 else { return }
        let used = UnsafeBufferPointer(rebasing: samples[skipped..<(skipped + kept)])
        for sample in used { sum += Double(sample) }
        if condition.gain.needsWholeClip { measure(used) }
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

    /// The level of the samples so far; without samples, the part of it that needs no statistics.
    public var level: SignalLevel {
        let mean = count > 0 ? sum / Double(count) : 0
        let offset = condition.removeDC ? mean : 0
        func affine(_ offset: Double, _ divisor: Double, _ base: Double = 0) -> SignalLevel.Change {
            .affine(offset: offset, divisor: divisor > 0 ? divisor : 1, base: base)
        }
        let total = Double(max(count, 1))
        let variance = max(0, squares - shifted * (shifted / total)) / total
        let change: SignalLevel.Change
        switch condition.gain {
        case .none: change = offset == 0 ? .none : .centred(mean: Float(offset))
        case .int16: change = .int16(offset: Float(offset))
        case .clamp(let level): change = .clamped(offset: Float(offset), level: Float(level))
        case .peak(let level):
            change = affine(offset, max(Double(maximum) - offset, offset - Double(minimum)) / level)
        case .minmax(let epsilon):
            // 2 ((x − min) / d − ½) = (x − min) / (d / 2) − 1
            change = affine(Double(minimum), (Double(maximum) - Double(minimum) + epsilon) / 2, -1)
        case .zscore(let epsilon): change = affine(mean, (variance + epsilon).squareRoot())
        case .rms(let epsilon):
            let power = condition.removeDC ? variance : variance + mean * mean
            change = affine(offset, power.squareRoot() + epsilon)
        }
        return SignalLevel(change, first: firstUsed)
    }
}
