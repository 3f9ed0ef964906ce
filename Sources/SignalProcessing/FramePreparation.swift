import FeatureModel

/// Prepares a frame for the window: its rest, removal of the mean, energy, pre-emphasis.
///
/// Order and first sample as in Kaldi's `FrameExtractor`: the energy is taken before pre-emphasis and window.
final class FramePreparation {
    private let length: Int
    private let removeDC: Bool
    private let preEmphasis: Double
    private let measuresEnergy: Bool
    /// Square of the samples' scale.
    private let energyFactor: Double
    private let hasRest: Bool
    private let samples: DoubleBuffer

    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        let frame = plan.configuration.frame
        length = plan.geometry.length
        removeDC = frame.removeDC
        preEmphasis = frame.preEmphasis
        measuresEnergy = plan.configuration.transform.cepstrum?.zeroth == .energy
        hasRest = SignalConditioner.hasRest(plan)
        let scale = Double(plan.configuration.audio.scale.factor)
        energyFactor = scale * scale
        // Sums run over eight samples at a time.
        samples = try DoubleBuffer(count: (length + 7) / 8 * 8)
    }

    /// Whether frames stay unchanged.
    var isIdentity: Bool { !removeDC && preEmphasis == 0 && !measuresEnergy && !hasRest }

    /// The prepared samples, valid until the next call, and the frame's energy Σ x²; 0 where it is not needed.
    ///
    /// - Parameters:
    ///   - frame: The samples.
    ///   - rest: What is added to them in double precision; nil: nothing.
    func apply(
        _ frame: UnsafePointer<Float>, rest: UnsafePointer<Float>? = nil
    ) -> (samples: UnsafePointer<Double>, energy: Float) {
        let samples = samples.pointer
        if let rest {
            for n in 0..<length { samples[n] = Double(frame[n]) + Double(rest[n]) }
        } else {
            for n in 0..<length { samples[n] = Double(frame[n]) }
        }
        if removeDC {
            let mean = sum { $0 } / Double(length)
            for n in 0..<length { samples[n] -= mean }
        }
        let energy = measuresEnergy ? Float(sum { $0 * $0 } * energyFactor) : 0
        if preEmphasis != 0 {
            for n in stride(from: length - 1, to: 0, by: -1) { samples[n] -= preEmphasis * samples[n - 1] }
            samples[0] -= preEmphasis * samples[0]
        }
        return (UnsafePointer(samples), energy)
    }

    /// Σ over the samples; those past the frame are 0.
    @inline(__always)
    private func sum(of term: (SIMD4<Double>) -> SIMD4<Double>) -> Double {
        let samples = UnsafePointer(samples.pointer)
        var (even, odd) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for n in stride(from: 0, to: length, by: 8) {
            even += term(samples.four(at: n))
            odd += term(samples.four(at: n + 4))
        }
        return (even + odd).sum()
    }
}
