import FeatureModel

/// What is done to a signal, piece by piece, before it is cut into frames: length, mean, pre-emphasis.
///
/// Cropped to `audio.duration`, then conditioned, then filled with zeros to `audio.duration`. The samples that come out do
/// not depend on how the signal is cut.
final class SignalConditioner {
    private let preEmphasis: Float
    /// Samples that a signal is brought to; nil: as many as come.
    private let length: Int?
    private let piece: AlignedBuffer
    private static let pieceSize = 4096

    private var mean: Float = 0
    private var received = 0
    private var previous: Float?

    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        let configuration = plan.configuration
        preEmphasis = Float(configuration.condition.preEmphasis)
        length = plan.fixedLength
        piece = try AlignedBuffer(count: Self.pieceSize)
    }

    /// Begins a signal whose mean, which is taken away, is `mean`.
    func begin(mean: Float) {
        self.mean = mean
        received = 0
        previous = nil
    }

    /// Takes samples and hands over the conditioned ones.
    @inline(__always)
    func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let count = length.map { min(samples.count, $0 - received) } ?? samples.count
        received += count
        let kept = UnsafeBufferPointer(rebasing: samples[..<count])
        guard mean != 0 || preEmphasis != 0 else { return try receive(kept) }
        try condition(kept, receive)
    }

    /// Hands over the zeros that are left to the wanted length.
    func finish<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard let length, received < length else { return }
        piece.pointer.update(repeating: 0, count: Self.pieceSize)
        while received < length {
            let count = min(Self.pieceSize, length - received)
            received += count
            try receive(UnsafeBufferPointer(start: piece.pointer, count: count))
        }
    }

    private func condition<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        var taken = 0
        while taken < samples.count {
            let count = min(Self.pieceSize, samples.count - taken)
            for index in 0..<count {
                let sample = samples[taken + index] - mean
                piece.pointer[index] = sample - preEmphasis * (previous ?? 0)
                previous = sample
            }
            taken += count
            try receive(UnsafeBufferPointer(start: piece.pointer, count: count))
        }
    }
}
