import FeatureModel

/// What is done to a frame's samples before the window: mean taken away, energy measured, pre-emphasis.
///
/// Order and first sample as in Kaldi's `FrameExtractor`: the energy is that before pre-emphasis and window.
final class FramePreparation {
    private let length: Int
    private let removeDC: Bool
    private let preEmphasis: Float
    private let measuresEnergy: Bool
    /// Square of the samples' scale.
    private let energyFactor: Double
    private let centered: AlignedBuffer
    private let emphasized: AlignedBuffer

    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        let frame = plan.configuration.frame
        length = plan.geometry.length
        removeDC = frame.removeDC
        preEmphasis = Float(frame.preEmphasis)
        measuresEnergy = plan.configuration.transform.cepstrum?.zeroth == .energy
        let scale = Double(plan.configuration.audio.scale.factor)
        energyFactor = scale * scale
        centered = try AlignedBuffer(count: removeDC ? length : 0)
        emphasized = try AlignedBuffer(count: preEmphasis != 0 ? length : 0)
    }

    /// Whether frames go on as they are.
    var isIdentity: Bool { !removeDC && preEmphasis == 0 && !measuresEnergy }

    /// The prepared samples, valid until the next call, and the frame's energy Σ x²; 0 where it is not wanted.
    func apply(_ frame: UnsafePointer<Float>) -> (samples: UnsafePointer<Float>, energy: Float) {
        var samples = frame
        if removeDC {
            let mean = Float(sum(samples) { $0 } / Double(length))
            for n in 0..<length { centered.pointer[n] = samples[n] - mean }
            samples = UnsafePointer(centered.pointer)
        }
        let energy = measuresEnergy ? Float(sum(samples) { $0 * $0 } * energyFactor) : 0
        if preEmphasis != 0 {
            let target = emphasized.pointer
            target[0] = samples[0] - preEmphasis * samples[0]
            for n in 1..<max(length, 1) { target[n] = samples[n] - preEmphasis * samples[n - 1] }
            samples = UnsafePointer(target)
        }
        return (samples, energy)
    }

    @inline(__always)
    private func sum(_ samples: UnsafePointer<Float>, of term: (SIMD8<Double>) -> SIMD8<Double>) -> Double {
        var sums = SIMD8<Double>.zero
        var n = 0
        while n + 8 <= length {
            sums += term(SIMD8<Double>(samples.eight(at: n)))
            n += 8
        }
        var rest = SIMD8<Double>.zero
        for lane in 0..<length - n { rest[lane] = Double(samples[n + lane]) }
        return (sums + term(rest)).sum()
    }
}
