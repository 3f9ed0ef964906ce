import FeatureModel
import Resampling

/// Brings the signals of clips, one clip after another, from the rates of their recordings to that of features. Used by one thread.
final class RateConversion {
    /// One for each signal, of the last clip whose rate was changed.
    private var resamplers: [Resampler] = []
    private var isActive = false

    /// Starts a clip.
    ///
    /// - Parameters:
    ///   - count: Number of signals.
    ///   - input: Rate of the recording in Hz.
    ///   - output: That of features.
    ///   - method: By what the rate is changed.
    /// - Returns: Whether the rate changes.
    /// - Throws: `ClipFailure` where it cannot be changed so.
    func start(
        signals count: Int, from input: Int, to output: Int, by method: ResamplingMethod
    ) throws(ClipFailure) -> Bool {
        isActive = input != output
        guard isActive else { return false }
        let isSame =
            resamplers.first.map { $0.inputRate == input && $0.outputRate == output && $0.method == method } ?? false
        if !isSame || resamplers.count != count {
            resamplers = []
            var made: [Resampler] = []
            for _ in 0..<count { made.append(try Resampler(from: input, to: output, by: method)) }
            resamplers = made
        }
        for resampler in resamplers { resampler.reset() }
        return true
    }

    /// Hands over what the next piece of a signal becomes.
    ///
    /// - Throws: What `receive` throws.
    func push(
        _ piece: UnsafeBufferPointer<Float>, of signal: Int,
        receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        if isActive { try resamplers[signal].push(piece, receive: receive) } else { try receive(piece) }
    }

    /// Hands over the rest of every signal.
    ///
    /// - Throws: What `receive` throws.
    func finish(_ receive: (Int, UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        guard isActive else { return }
        for (signal, resampler) in resamplers.enumerated() {
            try resampler.finish { part throws(ClipFailure) in try receive(signal, part) }
        }
    }
}
