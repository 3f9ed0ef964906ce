import FeatureModel

/// Prepares a signal, piece by piece, before it is cut into frames: length, mean, gain, filter, pre-emphasis.
///
/// It is cropped to `audio.duration`, then conditioned, then padded to `audio.duration` as the plan's `fit` says, or with zeros until
/// the last patch is complete; `audio.lead` zeros come first. The output does not depend on the pieces.
final class SignalConditioner {
    private let preEmphasis: Double
    private let filter: DCTFilter?
    /// Length that a signal is cropped or padded to; nil: its own.
    private let length: Int?
    private let fit: ClipFit?
    private let plan: FeaturePlan
    /// The conditioned signal, where it may have to be repeated.
    private let kept: FloatBuffer
    private var keptCount = 0
    /// What rounding to single precision takes from `piece` and from `kept`; empty where samples have no rest.
    private let pieceRest: FloatBuffer
    private let keptRest: FloatBuffer
    /// Samples without their mean, and with the gain, for the filter.
    private let levelled: FloatBuffer
    /// Samples for the receiver. Another buffer, since the filter passes samples on before it has read all of a piece.
    private let piece: FloatBuffer
    private static let pieceSize = 4096
    private static let greatest = Double(Float.greatestFiniteMagnitude)

    private var level = SignalLevel.none
    /// Samples before the part that is used which are still to come.
    private var skipping = 0
    private var received = 0
    /// The last sample before pre-emphasis.
    private var previous = 0.0
    private let firstSample: ConditionConfiguration.FirstSample
    /// Whether the next sample for pre-emphasis is the clip's first, or the one after it, which that has waited for.
    private var opening = Opening.passed
    /// Zeros in front of the clip that are still to come.
    private var leading = 0

    /// How far the start of a clip has come.
    private enum Opening { case first, second, passed }
    /// The level that is brought about in double precision, with pre-emphasis; nil: `levelled` has it, or there is none.
    private var precise: (offset: Double, divisor: Double, base: Double)?

    /// While samples are passed on: what is to be added to them in double precision. Nil: nothing.
    ///
    /// Pre-emphasis takes 30 dB from low frequencies: rounded to single precision, it would leave noise in bands that are faint
    /// next to them. So would a gain with a large mean.
    private(set) var rest: UnsafePointer<Float>?
    private let hasRest: Bool

    /// Whether samples have a rest. The filter takes single precision, and samples that are stored themselves are.
    static func hasRest(_ plan: FeaturePlan) -> Bool {
        let condition = plan.configuration.condition
        guard plan.configuration.transform != .raw else { return false }
        let isPrecise = condition.gain == .none || condition.gain.needsWholeClip
        return condition.preEmphasis != 0 || condition.dctFilter == nil && plan.needsLevel && isPrecise
    }

    /// - Throws: `SignalError` where memory runs out, or FFTW, where it is asked for, has no plan.
    init(_ plan: FeaturePlan) throws(SignalError) {
        preEmphasis = plan.configuration.condition.preEmphasis
        firstSample = plan.configuration.condition.firstSample
        filter =
            if let envelope = plan.envelope, let pages = plan.configuration.condition.dctFilter?.pages {
                try DCTFilter(envelope, pages: pages)
            } else {
                nil
            }
        self.plan = plan
        length = plan.fixedLength
        levelled = try FloatBuffer(count: Self.pieceSize)
        fit = plan.fit
        let repeats = fit == .repeat || fit == .repeatPad
        kept = try FloatBuffer(count: repeats ? length ?? 0 : 0)
        piece = try FloatBuffer(count: Self.pieceSize)
        hasRest = Self.hasRest(plan)
        pieceRest = try FloatBuffer(count: hasRest ? Self.pieceSize : 0)
        keptRest = try FloatBuffer(count: hasRest ? kept.count : 0)
    }

    /// Starts a signal, whose samples are brought to `level`.
    func start(_ level: SignalLevel) {
        self.level = level
        (skipping, received, keptCount) = (level.first, 0, 0)
        (previous, precise, rest) = (0, nil, nil)
        opening = firstSample == .keep ? .passed : .first
        leading = plan.configuration.audio.lead
        filter?.reset()
        guard hasRest, filter == nil else { return }
        switch level.change {
        case .centred(let mean): precise = (Double(mean), 1, 0)
        case .affine(let offset, let divisor, let base): precise = (offset, divisor, base)
        case .none, .int16, .clamped: break
        }
    }

    /// Passes on the zeros in front of the clip, once.
    private func passLead<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        while leading > 0 {
            let count = min(Self.pieceSize, leading)
            leading -= count
            piece.pointer.update(repeating: 0, count: count)
            try receive(UnsafeBufferPointer(start: piece.pointer, count: count))
        }
    }

    /// Takes samples and passes on the conditioned ones.
    @inline(__always)
    func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        if leading > 0, !samples.isEmpty { try passLead(receive) }
        let skipped = min(skipping, samples.count)
        skipping -= skipped
        let count = min(samples.count - skipped, length.map { $0 - received } ?? .max)
        received += count
        let used = UnsafeBufferPointer(rebasing: samples[skipped..<(skipped + count)])
        guard kept.count > 0 else { return try conditioned(used, receive) }
        try conditioned(used) { piece throws(Failure) in
            keep(piece)
            try receive(piece)
        }
    }

    @inline(__always)
    private func conditioned<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        switch level.change {
        case .none: try filtered(samples, receive)
        case _ where precise != nil: try emphasized(samples, receive)
        case .centred(let mean):
            try inPieces(samples, of: levelled, { $0 - mean }) { piece throws(Failure) in
                try filtered(piece, receive)
            }
        case .affine, .int16, .clamped:
            try inPieces(samples, of: levelled, level.applied) { piece throws(Failure) in
                try filtered(piece, receive)
            }
        }
    }

    private func keep(_ piece: UnsafeBufferPointer<Float>) {
        guard let source = piece.baseAddress, keptCount + piece.count <= kept.count else { return }
        (kept.pointer + keptCount).update(from: source, count: piece.count)
        if let rest {
            (keptRest.pointer + keptCount).update(from: rest, count: piece.count)
        } else if hasRest {
            // The signal before may have left its own here.
            (keptRest.pointer + keptCount).update(repeating: 0, count: piece.count)
        }
        keptCount += piece.count
    }

    /// Passes on the filter's complete pages, without waiting for a full batch.
    func flush<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try filter?.flush { piece throws(Failure) in
            try emphasized(piece) { piece throws(Failure) in
                keep(piece)
                try receive(piece)
            }
        }
    }

    /// Passes on the rest of the signal, then its padding.
    func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try filter?.finish { piece throws(Failure) in
            try emphasized(piece) { piece throws(Failure) in
                keep(piece)
                try receive(piece)
            }
        }
        if opening == .second {
            // The clip has a single sample, which is its own neighbour.
            opening = .passed
            let value = previous - preEmphasis * previous
            try withPiece(1, receive) { put(value, at: $0) }
        }
        let length = plan.completedLength(received)
        if max(received, length) > 0 { try passLead(receive) }
        guard received < length else { return }
        // Without samples, the clip consists of zeros.
        while fit == .repeat || fit == .repeatPad, keptCount > 0, received < length {
            if fit == .repeatPad, received + keptCount > length { break }
            let count = min(keptCount, length - received)
            received += count
            rest = keptRest.count > 0 ? UnsafePointer(keptRest.pointer) : nil
            defer { rest = nil }
            try receive(UnsafeBufferPointer(start: kept.pointer, count: count))
        }
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
        guard preEmphasis != 0 || precise != nil else { return try receive(samples) }
        let (offset, divisor, base) = precise ?? (0, 1, 0)
        var taken = 0
        while opening != .passed, taken < samples.count {
            let sample = (Double(samples[taken]) - offset) / divisor + base
            taken += 1
            if opening == .first {
                opening = firstSample == .drop ? .passed : .second
            } else {
                opening = .passed
                let (first, second) = (previous - preEmphasis * sample, sample - preEmphasis * previous)
                try withPiece(2, receive) { put($0 == 0 ? first : second, at: $0) }
            }
            previous = sample
        }
        while taken < samples.count {
            let count = min(Self.pieceSize, samples.count - taken)
            let begin = taken
            taken += count
            try withPiece(count, receive) { index in
                let sample = (Double(samples[begin + index]) - offset) / divisor + base
                // A first sample that is kept follows silence: it is not changed.
                put(sample - preEmphasis * previous, at: index)
                previous = sample
            }
        }
    }

    /// Writes a sample of the piece, and what rounding takes from it.
    @inline(__always)
    private func put(_ value: Double, at index: Int) {
        let value = min(max(value, -Self.greatest), Self.greatest)
        let rounded = Float(value)
        piece.pointer[index] = rounded
        if hasRest { pieceRest.pointer[index] = Float(value - Double(rounded)) }
    }

    /// Passes on a piece of `count` samples that `write` has written, with their rest.
    @inline(__always)
    private func withPiece<Failure: Error>(
        _ count: Int, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void, write: (Int) -> Void
    ) throws(Failure) {
        for index in 0..<count { write(index) }
        rest = hasRest ? UnsafePointer(pieceRest.pointer) : nil
        defer { rest = nil }
        try receive(UnsafeBufferPointer(start: piece.pointer, count: count))
    }

    /// Passes on the samples changed by `change`, in pieces of `buffer`.
    private func inPieces<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, of buffer: FloatBuffer, _ change: (Float) -> Float,
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
