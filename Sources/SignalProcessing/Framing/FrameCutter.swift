import FeatureModel

/// Cuts a stream of samples, which arrives in pieces of any size, into frames.
///
/// The frames do not depend on the pieces. Memory: a few frame lengths. Samples may have a rest, which is cut in the same way (see
/// `SignalConditioner.rest`).
struct FrameCutter: ~Copyable {
    private let geometry: FrameGeometry
    private let placement: FramePlacement
    /// Frame i starts at sample i · hop − offset; negative where hops are longer than frames.
    private let offset: Int
    /// Samples that frame 0 reaches before the first sample of the signal.
    private let lead: Int
    private let buffer: UnsafeMutablePointer<Float>
    private let capacity: Int
    /// Distance from each sample to its rest; nil: samples have none.
    private let restDistance: Int?
    /// Samples of the signal's end that are kept for mirroring.
    private let history: Int

    /// Position in the signal of the buffer's first sample; negative in the padding.
    private var bufferStart: Int
    /// Position in the signal after the last sample received.
    private var end = 0
    /// Index of the next frame.
    private var nextFrame = 0
    /// Whether the padding before the first sample is in the buffer.
    private var isPrimed = false

    /// A cutter at the start of a signal.
    init(geometry: FrameGeometry, placement: FramePlacement, hasRest: Bool = false) {
        self.geometry = geometry
        self.placement = placement
        offset = placement.offset(geometry)
        lead = max(offset, 0)
        history = placement.align == .start ? 0 : geometry.length + 1
        // A frame may wait until it is certain.
        capacity = lead + history + placement.wait(geometry) + 2 * geometry.length + max(8192, geometry.length)
        restDistance = hasRest ? capacity : nil
        // Loops read past the last frame's end.
        let size = (hasRest ? 2 * capacity : capacity) + 3
        buffer = .allocate(capacity: size)
        buffer.initialize(repeating: 0, count: size)
        bufferStart = -lead
    }

    deinit { buffer.deallocate() }

    /// Takes samples and passes on the frames that they complete.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - rest: Their rest, as many values; nil: 0.
    ///   - receive: Takes consecutive frames, which are valid during the call.
    @inline(__always)
    mutating func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, rest: UnsafePointer<Float>? = nil,
        receive: (FrameRun) throws(Failure) -> Void
    ) throws(Failure) {
        guard let source = samples.baseAddress else { return }
        var taken = 0
        while taken < samples.count {
            compact()
            let filled = end - bufferStart
            let count = min(capacity - geometry.length - filled, samples.count - taken)
            (buffer + filled).update(from: source + taken, count: count)
            if let restDistance {
                let target = buffer + (filled + restDistance)
                if let rest {
                    target.update(from: rest + taken, count: count)
                } else {
                    target.update(repeating: 0, count: count)
                }
            }
            taken += count
            end += count
            if !isPrimed, end > lead { prime() }
            if isPrimed { try emit(before: placement.certainFrames(samples: end, geometry: geometry), receive) }
        }
    }

    /// Passes on the frames that reach past the end, and starts a new signal.
    ///
    /// - Parameter receive: Takes consecutive frames, which are valid during the call.
    @inline(__always)
    mutating func finish<Failure: Error>(
        receive: (FrameRun) throws(Failure) -> Void
    ) throws(Failure) {
        defer { reset() }
        guard placement.reachesPastEnd, end > 0 else { return }
        if !isPrimed { prime() }
        let samples = end
        let total = placement.frameCount(samples: samples, geometry: geometry)
        compact()
        let reach = (total - 1) * geometry.hop - offset + geometry.length
        for position in samples..<max(reach, samples) { pad(position, samples: samples) }
        end = max(reach, samples)
        try emit(before: total, receive)
    }

    /// Discards everything, ready for the next signal.
    mutating func reset() {
        bufferStart = -lead
        end = 0
        nextFrame = 0
        isPrimed = false
    }

    @inline(__always)
    private mutating func emit<Failure: Error>(
        before last: Int, _ receive: (FrameRun) throws(Failure) -> Void
    ) throws(Failure) {
        // The greatest start that a complete frame can have, counted from the start of frame 0.
        let lastStart = end + offset - geometry.length
        let first = nextFrame
        nextFrame = max(first, min(last, lastStart < 0 ? 0 : lastStart / geometry.hop + 1))
        guard nextFrame > first else { return }
        try receive(
            FrameRun(
                first: buffer + (first * geometry.hop - offset - bufferStart), stride: geometry.hop,
                count: nextFrame - first, rest: restDistance))
    }

    /// Moves the samples that are still needed to the front of the buffer, once less than a frame fits.
    private mutating func compact() {
        let filled = end - bufferStart
        guard isPrimed, capacity - geometry.length - filled < geometry.length else { return }
        let keep = max(min(nextFrame * geometry.hop - offset, end - history), bufferStart)
        buffer.update(from: buffer + (keep - bufferStart), count: end - keep)
        if let restDistance {
            let rests = buffer + restDistance
            rests.update(from: rests + (keep - bufferStart), count: end - keep)
        }
        bufferStart = keep
    }

    /// Writes the padding before the first sample.
    private mutating func prime() {
        for index in 0..<lead { pad(index - lead, samples: end) }
        isPrimed = true
    }

    /// Writes padding to a position before the first or past the last sample.
    private func pad(_ position: Int, samples: Int) {
        let (source, target) = (placement.source(of: position, samples: samples), position - bufferStart)
        buffer[target] = source.map { buffer[$0 - bufferStart] } ?? 0
        guard let restDistance else { return }
        buffer[target + restDistance] = source.map { buffer[$0 - bufferStart + restDistance] } ?? 0
    }
}
