import FeatureModel

/// Changes the sample rate of one signal.
///
/// The output does not depend on how the signal is cut into pieces. Memory does not depend on its length.
package final class Resampler {
    package let inputRate: Int
    package let outputRate: Int
    package let method: ResamplingMethod

    private let engine: any ResamplingEngine
    /// Maximum ratio of two rates. A header that claims 1 Hz would turn a small file into gigabytes.
    package static let maximumRatio = 1000

    /// Designs the filter; rates are in Hz.
    ///
    /// - Parameters:
    ///   - method: Whose samples are made.
    ///   - lowLatency: Whether libsoxr's blocks are as short as its filter allows: from 44.1 to 16 kHz a sample is held back for up
    ///     to 17 ms instead of 40. The output differs by rounding, up to 4e-7 of full scale. The other methods hold back half of their
    ///     filter, and do not differ.
    /// - Throws: `ClipFailure` of stage `condition` where the method refuses the pair of rates.
    package init(
        from inputRate: Int, to outputRate: Int, by method: ResamplingMethod, lowLatency: Bool = false
    ) throws(ClipFailure) {
        try Self.check(from: inputRate, to: outputRate, by: method)
        (self.inputRate, self.outputRate, self.method) = (inputRate, outputRate, method)
        if let filter = PhaseFilter(from: inputRate, to: outputRate, by: method) {
            engine = filter
        } else {
            engine = try SoxrEngine(from: inputRate, to: outputRate, by: method, lowLatency: lowLatency)
        }
    }

    /// Whether a method can change one rate to another.
    ///
    /// - Parameter samples: How many there will be; nil: not known.
    /// - Throws: `ClipFailure.ratesTooFarApart`, or `cannotResample` where the original of the method fails.
    package static func check(
        from inputRate: Int, to outputRate: Int, by method: ResamplingMethod, samples: Int? = nil
    ) throws(ClipFailure) {
        guard max(inputRate, outputRate) / max(min(inputRate, outputRate), 1) <= maximumRatio else {
            throw .ratesTooFarApart(input: inputRate, output: outputRate)
        }
        guard KaiserTable.divides(inputRate, outputRate, method) else {
            throw .cannotResample(
                input: inputRate, output: outputRate,
                words: "the filter of \(method.rawValue) has no weights where the rate falls to less than 1/"
                    + "\(KaiserTable.Filter.fast.precision)")
        }
        if let samples { try requireSample(of: samples, from: inputRate, to: outputRate, by: method) }
    }

    /// - Throws: `ClipFailure.cannotResample` where the method refuses a signal because no sample is left of it.
    static func requireSample(
        of samples: Int, from input: Int, to output: Int, by method: ResamplingMethod
    ) throws(ClipFailure) {
        let isRefused = method == .kaiserBest || method == .kaiserFast
        guard isRefused, samples > 0, input != output else { return }
        guard RateRatio(from: input, to: output).scaled(samples, roundedUp: false) == 0 else { return }
        throw .cannotResample(
            input: input, output: output,
            words: "\(method.rawValue) makes no sample of \(samples == 1 ? "1 sample" : "\(samples) samples")")
    }

    /// Takes samples and passes on the finished ones.
    ///
    /// - Throws: `ClipFailure` of stage `condition`, or what `receive` throws.
    package func push(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        try engine.push(samples, receive: receive)
    }

    /// Passes on the rest at the end of the signal, and resets.
    ///
    /// - Throws: `ClipFailure` of stage `condition`, also where the method refuses a signal that is too short, or what `receive` throws.
    package func finish(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        defer { reset() }
        try engine.finish(receive: receive)
    }

    /// Discards an unfinished signal.
    package func reset() { engine.reset() }
}

/// What computes the samples of a `Resampler`.
protocol ResamplingEngine: AnyObject {
    /// Takes samples and passes on the finished ones, in memory that is valid during the call.
    func push(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure)

    /// Passes on the rest. `reset` follows.
    func finish(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure)

    /// Starts anew.
    func reset()
}

/// What of this program resamples, with a version that changes with the samples: `torchaudio, phases 1`; nil: libsoxr does it.
package func ownResamplerVersion(_ method: ResamplingMethod) -> String? {
    method.isSoxr ? nil : "\(method.rawValue), phases 1"
}
