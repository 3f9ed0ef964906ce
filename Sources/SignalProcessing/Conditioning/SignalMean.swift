/// The mean of a signal that comes in pieces; see `FeaturePlan.needsMean`.
///
/// Summed in double precision, one sample after the other, so that the result does not depend on how the signal is cut.
public struct SignalMean: Sendable {
    private let length: Int?
    private var sum = 0.0
    private var count = 0

    /// The mean of what `plan` keeps of a signal: of its beginning where `audio.duration` cuts it.
    public init(_ plan: FeaturePlan) { length = plan.fixedLength }

    /// Adds samples.
    public mutating func push(_ samples: UnsafeBufferPointer<Float>) {
        let kept = length.map { min(samples.count, $0 - count) } ?? samples.count
        for index in 0..<kept { sum += Double(samples[index]) }
        count += kept
    }

    /// The mean of all samples; 0 where there were none.
    public var value: Float { count > 0 ? Float(sum / Double(count)) : 0 }
}
