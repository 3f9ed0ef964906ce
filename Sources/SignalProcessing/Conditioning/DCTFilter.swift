import FeatureModel

/// An equaliser in the DCT domain, for a stream of samples of one channel.
///
/// The stream is cut into pages of 1024 samples without overlap. Each page's DCT-II is multiplied by the envelope, and a
/// DCT-III divided by 512 brings it back. Nothing is delayed: sample n of the output belongs to sample n of the input,
/// and there are as many. The last page is filled up with zeros, and what comes out beyond the signal is dropped.
///
/// Samples may come in pieces of any size: the output, to the last bit, does not depend on it. Pages are computed in
/// batches of 16, so output comes up to 16 pages late; `flush` hands over what is complete at once. Nothing is allocated
/// after `init`; memory does not grow with the length of the signal. Not safe to use from two threads at once.
public final class DCTFilter {
    /// What the bins are multiplied by, from the next page on that is completed.
    public private(set) var envelope: DCTEnvelope

    private let window: FrameWindow
    private let forward: RealFFT
    private let cosine: CosineTransform
    private let backward: RealToRealTransform
    /// For each page that waits in the batch, the envelope that held when its last sample came.
    private var envelopes: [DCTEnvelope]
    /// Pages that stand in the transform's input.
    private var waiting = 0
    /// The page that is not complete yet, and how many samples it has.
    private let page: AlignedBuffer
    private var filled = 0
    /// Coefficients of one page.
    private let coefficients: AlignedBuffer
    /// The filtered pages of a batch, one behind the other.
    private let filtered: AlignedBuffer

    private static let length = DCTFilterConfiguration.pageLength
    /// The most samples that one call of `receive` gets.
    public static let mostSamples = RealFFT.batch * length

    /// Plans the transforms and makes every buffer.
    ///
    /// - Throws: `SignalError` where memory or a plan is not to be had.
    public init(_ envelope: DCTEnvelope) throws(SignalError) {
        self.envelope = envelope
        envelopes = Array(repeating: envelope, count: RealFFT.batch)
        forward = try RealFFT(length: Self.length)
        cosine = CosineTransform(length: Self.length)
        backward = try RealToRealTransform(
            type: .three, length: Self.length, normalization: .none, scale: 2 / Double(Self.length))
        window = FrameWindow(
            Array(repeating: 1, count: Self.length), factor: forward.inputFactor, order: .evenThenOddReversed,
            fftLength: Self.length)
        page = try AlignedBuffer(count: Self.length)
        coefficients = try AlignedBuffer(count: Self.length)
        filtered = try AlignedBuffer(count: Self.mostSamples)
    }

    /// Changes the envelope for the pages that are not complete yet. The one that is being filled counts as such.
    public func setEnvelope(_ envelope: DCTEnvelope) { self.envelope = envelope }

    /// Takes samples and hands over those of the batches that they complete.
    ///
    /// - Parameters:
    ///   - samples: On any scale.
    ///   - receive: Gets filtered samples, whole pages of 1024, up to `mostSamples` at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard let start = samples.baseAddress else { return }
        var taken = 0
        while taken < samples.count {
            if filled == 0, samples.count - taken >= Self.length {
                try take(start + taken, receive)
                taken += Self.length
                continue
            }
            let count = min(Self.length - filled, samples.count - taken)
            (page.pointer + filled).update(from: start + taken, count: count)
            filled += count
            taken += count
            if filled == Self.length {
                filled = 0
                try take(page.pointer, receive)
            }
        }
    }

    /// Hands over the samples of all complete pages, without waiting for a batch: up to 1023 samples are held back.
    ///
    /// - Parameter receive: Gets filtered samples, valid during the call; it is not called where there are none.
    /// - Throws: What `receive` throws.
    public func flush<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        if waiting > 0 { try runBatch(dropping: 0, receive) }
    }

    /// Hands over the samples that are left, so that as many have come out as went in, and begins a new signal.
    ///
    /// - Parameter receive: Gets filtered samples, valid during the call; it is not called where there are none.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        defer { reset() }
        guard filled > 0 else { return try flush(receive: receive) }
        let missing = Self.length - filled
        (page.pointer + filled).update(repeating: 0, count: missing)
        // A batch is run as soon as it is full, so there is room for this page.
        add(page.pointer)
        try runBatch(dropping: missing, receive)
    }

    /// Forgets a signal that was begun. The envelope stays.
    public func reset() {
        filled = 0
        waiting = 0
    }

    @inline(__always)
    private func take<Failure: Error>(
        _ page: UnsafePointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        add(page)
        if waiting == RealFFT.batch { try runBatch(dropping: 0, receive) }
    }

    @inline(__always)
    private func add(_ page: UnsafePointer<Float>) {
        window.apply(page, into: forward.input.pointer + waiting * forward.rowStride)
        envelopes[waiting] = envelope
        waiting += 1
    }

    /// Filters the pages that wait, and hands them over but for the last `missing` samples.
    private func runBatch<Failure: Error>(
        dropping missing: Int, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        forward.execute()
        for row in 0..<waiting { shape(row) }
        backward.execute()
        let count = waiting * Self.length - missing
        waiting = 0
        for row in 0..<(count + missing) / Self.length {
            backward.coefficients(row: row, into: filtered.pointer + row * Self.length)
        }
        try receive(UnsafeBufferPointer(start: filtered.pointer, count: count))
    }

    /// Multiplies a page's coefficients by its envelope, on their way into the transform back.
    private func shape(_ row: Int) {
        forward.coefficients(row: row, by: cosine, into: coefficients.pointer)
        let target = backward.input.pointer + row * backward.rowStride
        let values = envelopes[row].values
        for k in 0..<Self.length {
            target[k] = Double(coefficients.pointer[k] * values[k]) * backward.inputWeights[k]
        }
    }
}
