import FeatureModel

/// Prepares a signal, piece by piece, before it is cut into frames: length, mean, gain, filter, pre-emphasis.
///
/// Cropped to `audio.duration`, then conditioned, then padded with zeros to `audio.duration` unless the layout is fixed. The
/// output does not depend on the pieces.
final class SignalConditioner {
    private let preEmphasis: Float
    private let filter: DCTFilter?
    /// Length that a signal is cropped or padded to; nil: its own.
    private let length: Int?
    private let fillsWithZeros: Bool
    /// Samples without their mean, and with the gain, for the filter.
    private let levelled: AlignedBuffer
    /// Samples for the receiver. Another buffer, since the filter passes samples on before it has read all of a piece.
    private let piece: AlignedBuffer
    private static let pieceSize = 4096

    private var level = SignalLevel.none
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
        levelled = try AlignedBuffer(count: Self.pieceSize)
        fillsWithZeros = plan.fillsWithZeros
        piece = try AlignedBuffer(count: Self.pieceSize)
    }

    /// Starts a signal, whose samples are brought to `level`.
    func start(_ level: SignalLevel) {
        self.level = level
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
        switch level {
        case .none: try filtered(kept, receive)
        case .centred(let mean):
            try inPieces(kept, of: levelled, { $0 - mean }) { piece throws(Failure) in try filtered(piece, receive) }
        case .affine, .int16:
            try inPieces(kept, of: levelled, level.applied) { piece throws(Failure) in try filtered(piece, receive) }
        }
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
