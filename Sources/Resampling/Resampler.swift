import CSoxr
import FeatureModel

/// Changes the sample rate of one signal by libsoxr at its high-quality setting.
///
/// The output does not depend on how the signal is cut into pieces. A sample is delayed by up to one block.
package final class Resampler {
    package let inputRate: Int
    package let outputRate: Int

    private let resampler: soxr_t
    private let output: UnsafeMutablePointer<Float>
    private static let outputCapacity = 16_384
    /// Samples that libsoxr takes at a time. Its queues are as long as that: without a limit, 65 MB where the rates differ most.
    private static let inputCapacity = 65_536
    /// Maximum ratio of two rates. A header that claims 1 Hz would turn a small file into gigabytes.
    package static let maximumRatio = 1000

    /// Transforms of 2 to this many samples; libsoxr's own choice may be four times as long, or more.
    private static let shortTransform: UInt32 = 8

    /// Designs the filter; rates are in Hz.
    ///
    /// - Parameter lowLatency: Whether blocks are as short as the filter allows: from 44.1 to 16 kHz a sample is held back for
    ///   up to 17 ms instead of 40. The output differs by rounding, up to 4e-7 of full scale.
    /// - Throws: `ClipFailure` of stage `condition` where libsoxr refuses the pair of rates.
    package init(from inputRate: Int, to outputRate: Int, lowLatency: Bool = false) throws(ClipFailure) {
        try Self.check(from: inputRate, to: outputRate)
        var error: soxr_error_t?
        var format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        var runtime = soxr_runtime_spec(1)
        if lowLatency {
            runtime.log2_min_dft_size = Self.shortTransform
            runtime.log2_large_dft_size = Self.shortTransform
        }
        let made = soxr_create(Double(inputRate), Double(outputRate), 1, &error, &format, &quality, &runtime)
        guard let made, error == nil else {
            if let made { soxr_delete(made) }
            throw Self.failure(error, from: inputRate, to: outputRate)
        }
        resampler = made
        self.inputRate = inputRate
        self.outputRate = outputRate
        output = .allocate(capacity: Self.outputCapacity)
    }

    /// Whether two rates are near enough to one another to be resampled.
    ///
    /// - Throws: `ClipFailure.ratesTooFarApart`.
    package static func check(from inputRate: Int, to outputRate: Int) throws(ClipFailure) {
        guard max(inputRate, outputRate) / max(min(inputRate, outputRate), 1) <= maximumRatio else {
            throw .ratesTooFarApart(input: inputRate, output: outputRate)
        }
    }

    deinit {
        soxr_delete(resampler)
        output.deallocate()
    }

    /// Takes samples and passes on the finished ones.
    ///
    /// - Throws: `ClipFailure` of stage `condition`, or what `receive` throws.
    package func push(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        guard var source = samples.baseAddress else { return }
        var left = samples.count
        while left > 0 {
            var (taken, given) = (0, 0)
            let error = soxr_process(
                resampler, source, min(left, Self.inputCapacity), &taken, output, Self.outputCapacity, &given)
            guard error == nil else { throw Self.failure(error, from: inputRate, to: outputRate) }
            source += taken
            left -= taken
            if given > 0 { try receive(UnsafeBufferPointer(start: output, count: given)) }
        }
    }

    /// Passes on the rest at the end of the signal, and resets.
    ///
    /// - Throws: `ClipFailure` of stage `condition`, or what `receive` throws.
    package func finish(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        defer { reset() }
        while true {
            var given = 0
            let error = soxr_process(resampler, nil, 0, nil, output, Self.outputCapacity, &given)
            guard error == nil else { throw Self.failure(error, from: inputRate, to: outputRate) }
            guard given > 0 else { return }
            try receive(UnsafeBufferPointer(start: output, count: given))
        }
    }

    /// Discards an unfinished signal.
    package func reset() { soxr_clear(resampler) }

    private static func failure(_ error: soxr_error_t?, from input: Int, to output: Int) -> ClipFailure {
        .cannotResample(input: input, output: output, words: error.map { String(cString: $0) } ?? "no memory")
    }
}

/// The version of libsoxr, such as `libsoxr-0.1.3`.
package func resamplingLibraryVersion() -> String { String(cString: soxr_version()) }
