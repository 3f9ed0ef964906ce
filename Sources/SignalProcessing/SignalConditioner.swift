import FeatureModel

/// Prepares a signal, piece by piece, before it is cut into frames: length, mean, filter, pre-emphasis.
///
/// Cropped to `audio.duration`, then conditioned, then padded with zeros to `audio.duration` unless the layout is fixed. The
/// output does not depend on the pieces.
final class SignalConditioner {
    private let preEmphasis: Float
    private let filter: DCTFilter?
    /// Length that a signal is cropped or padded to; nil: its own.
    private let length: Int?
    private let fillsWithZeros: Bool
    /// Samples without their mean, for the filter.
    private let centred: AlignedBuffer
    /// Samples for the receiver. Another buffer, since the filter passes samples on before it has read all of a piece.
    private let piece: AlignedBuffer
    private static let pieceSize = 4096

    private var mean: Float = 0
    private var received = 0
    /// The last sample before pre-emphasis.
    private var previous: Float = 0

    /// - Throws: `SignalError` where memory runs out or FFTW has no plan.
    init(_ plan: FeaturePlan) throws(SignalError) {
        preEmphasis = Float(plan.configuration.condition.preEmphasis)
        filter =
            if let envelope = plan.envelope, let pages = plan.configuration.condition.dctFilter?.pages {
                try DCTFilter(envelope, pages: pages)
            } else {
                nil
            }
        length = plan.fixedLength
        centred = try AlignedBuffer(count: Self.pieceSize)
        fillsWithZeros = plan.fillsWithZeros
        piece = try AlignedBuffer(count: Self.pieceSize)
    }

    /// Starts a signal; `mean` is subtracted from its samples.
    func start(mean: Float) {
        self.mean = mean
        received = 0
        previous = 0
        filter?.reset()
    }

    /// Takes samples and passes on the conditioned ones.
    @inline(__always)
    func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let count = length.map { min(samples.count, $0 - received) } ?? samples.count
        received += count
        let kept = UnsafeBufferPointer(rebasing: samples[..<count])
        guard mean != 0 else { return try filtered(kept, receive) }
        try inPieces(kept, of: centred, { $0 - mean }) { piece throws(Failure) in try filtered(piece, receive) }
    }

    /// Passes on the filter's complete pages, without waiting for a full batch.
    func flush<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try filter?.flush { piece throws(Failure) in try emphasized(piece, receive) }
    }

    /// Passes on the rest of the signal, and zeros up to its length.
    func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try filter?.finish { piece throws(Failure) in try emphasized(piece, receive) }
        guard fillsWithZeros, let length, received < length else { return }
        piece.pointer.update(repeating: 0, count: Self.pieceSize)
        while received < length {
            let count = min(Self.pieceSize, length - received)
            received += count
            try receive(UnsafeBufferPointer(start: piece.pointer, count: count))
        }
    }

    @inline(__always)
    private func filtered<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard let filter else { return try emphasized(samples, receive) }
        try filter.push(samples) { piece throws(Failure) in try emphasized(piece, receive) }
    }

    @inline(__always)
    private func emphasized<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard preEmphasis != 0 else { return try receive(samples) }
        // The first sample follows silence: it stays unchanged.
        try inPieces(
            samples, of: piece,
            { sample in
                defer { previous = sample }
                return sample - preEmphasis * previous
            }, receive)
    }

    /// Passes on the samples changed by `change`, in pieces of `buffer`.
    private func inPieces<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, of buffer: AlignedBuffer, _ change: (Float) -> Float,
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        var taken = 0
        while taken < samples.count {
            let count = min(Self.pieceSize, samples.count - taken)
            for index in 0..<count { buffer.pointer[index] = change(samples[taken + index]) }
            taken += count
            try receive(UnsafeBufferPointer(start: buffer.pointer, count: count))
        }
    }
}

/// The mean of a signal that arrives in pieces; see `FeaturePlan.needsMean`.
///
/// Summed in double precision, sample after sample, so that the result does not depend on the pieces.
public struct SignalMean: Sendable {
    private let length: Int?
    private var sum = 0.0
    private var count = 0

    /// The mean of the part of a signal that `plan` uses: its start where `audio.duration` crops it.
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
