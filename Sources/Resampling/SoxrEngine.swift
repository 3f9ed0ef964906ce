import CSoxr
import FeatureModel

/// Resampling by libsoxr. A sample is delayed by up to one block.
final class SoxrEngine: ResamplingEngine {
    private let handle: SoxrHandle
    private let (input, target): (Int, Int)
    private let output: UnsafeMutablePointer<Float>

    private static let outputCapacity = 16_384
    /// Samples that libsoxr takes at a time. Its queues are as long as that: without a limit, 65 MB where the rates differ most.
    private static let inputCapacity = 65_536

    /// - Throws: `ClipFailure.cannotResample` where libsoxr refuses the pair of rates.
    init(
        from input: Int, to target: Int, by method: ResamplingMethod, lowLatency: Bool
    ) throws(ClipFailure) {
        (self.input, self.target) = (input, target)
        handle = try SoxrHandle(from: input, to: target, by: method, lowLatency: lowLatency)
        output = .allocate(capacity: Self.outputCapacity)
    }

    deinit { output.deallocate() }

    func push(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        try samples.forEachPiece { source, left throws(ClipFailure) in
            var (taken, given) = (0, 0)
            let error = soxr_process(
                handle.pointer, source, min(left, Self.inputCapacity), &taken, output, Self.outputCapacity, &given)
            guard error == nil else { throw SoxrHandle.failure(error, from: input, to: target) }
            if given > 0 { try receive(UnsafeBufferPointer(start: output, count: given)) }
            return taken
        }
    }

    func finish(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        while true {
            var given = 0
            let error = soxr_process(handle.pointer, nil, 0, nil, output, Self.outputCapacity, &given)
            guard error == nil else { throw SoxrHandle.failure(error, from: input, to: target) }
            guard given > 0 else { return }
            try receive(UnsafeBufferPointer(start: output, count: given))
        }
    }

    func reset() { soxr_clear(handle.pointer) }
}

/// A resampler of libsoxr, which is released with the value.
struct SoxrHandle: ~Copyable {
    let pointer: soxr_t

    /// Transforms of 2 to this many samples; libsoxr's own choice may be four times as long, or more.
    private static let shortTransform: UInt32 = 8

    /// - Throws: `ClipFailure.cannotResample`.
    init(from input: Int, to output: Int, by method: ResamplingMethod, lowLatency: Bool) throws(ClipFailure) {
        var error: soxr_error_t?
        var format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(Self.recipe(of: method), 0)
        var runtime = soxr_runtime_spec(1)
        if lowLatency {
            runtime.log2_min_dft_size = Self.shortTransform
            runtime.log2_large_dft_size = Self.shortTransform
        }
        let made = soxr_create(Double(input), Double(output), 1, &error, &format, &quality, &runtime)
        guard let made, error == nil else {
            if let made { soxr_delete(made) }
            throw Self.failure(error, from: input, to: output)
        }
        pointer = made
    }

    deinit { soxr_delete(pointer) }

    private static func recipe(of method: ResamplingMethod) -> UInt {
        switch method {
        case .soxrVHQ: UInt(SOXR_VHQ)
        case .soxrMQ: UInt(SOXR_MQ)
        case .soxrHQ, .torchaudio, .kaiserBest, .kaiserFast, .polyphase: UInt(SOXR_HQ)
        }
    }

    static func failure(_ error: soxr_error_t?, from input: Int, to output: Int) -> ClipFailure {
        .cannotResample(input: input, output: output, words: error.map { String(cString: $0) } ?? "no memory")
    }
}

/// The version of libsoxr, such as `libsoxr-0.1.3`.
package func resamplingLibraryVersion() -> String { String(cString: soxr_version()) }
