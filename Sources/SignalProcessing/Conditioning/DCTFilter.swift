import FeatureModel
import Platform

/// An equaliser in the DCT domain, for a stream of samples of one channel.
///
/// The stream is cut into pages of 1024 samples. Each page's DCT-II is multiplied by the envelope, and a DCT-III divided by
/// 512 brings it back. Nothing is delayed: sample n of the output belongs to sample n of the input, and there are as many.
/// How the pages are cut and put together is a choice:
///
/// - `overlapping`: a page begins every 256 samples, the first at −768 and the last at the last multiple of 256 before the
///   end, with zeros beyond both ends of the signal. Each is multiplied by w[n] = sin²(π(n + ½)/1024), a Hann window, before
///   the DCT-II and again after the DCT-III, and the pages are added. Σ w² = 3/2 wherever four pages overlap, so ⅔ of the sum
///   is the signal where the envelope is 1. The response to an impulse reaches less than a page to either side. Measured in
///   double precision, over all phases, a steady tone 13 bins or more from the edges of the band differs from the ideal by at most
///   −70 dB of its own peak, −82 dB from 20 bins on and −89 dB from 30; in a band narrower than 60 bins, where both
///   edges count, by −68 dB. A window before the transform alone leaves −59 dB, a sine window twice −50 dB, with pages that
///   overlap by half −48 dB.
/// - `separate`: a page begins every 1024 samples, without a window; the last one is filled up with zeros, and what comes
///   out beyond the signal is dropped. Where two pages meet, a tone inside the band is off by up to its own size: it clicks.
///
/// Samples may come in pieces of any size: the output, to the last bit, does not depend on it. A sample needs all of the
/// pages that it lies in: the last of them ends at most 1023 samples later. Pages are computed in batches, 4 overlapping ones
/// or 16 separate ones, so output may come that much later; `flush` hands over what is complete at once. Overlapping pages
/// take four times as many transforms. Nothing is allocated after `init`; memory does not grow with the length of the signal.
/// Not safe to use from two threads at once.
public final class DCTFilter {
    /// What the bins are multiplied by, from the next page on that is completed.
    public private(set) var envelope: DCTEnvelope
    /// How the stream is cut into pages.
    public let pages: DCTFilterPages

    private let hop: Int
    /// Pages that are transformed at a time.
    private let batch: Int
    private let window: FrameWindow
    private let forward: RealFFT
    private let cosine: CosineTransform
    private let backward: RealToRealTransform
    /// What a page is multiplied by on its way into the sum; empty for separate pages.
    private let fade: [Float]
    /// For each page that waits in the batch, the envelope that held when its last sample came.
    private var envelopes: [DCTEnvelope]
    /// Pages that stand in the transform's input.
    private var waiting = 0
    /// The page that is not complete yet, and how many samples it has.
    private let page: AlignedBuffer
    private var filled = 0
    /// Coefficients, then samples, of one page.
    private let coefficients: AlignedBuffer
    /// The filtered pages of a batch, added where they overlap; behind them what the next batch adds to.
    private let filtered: AlignedBuffer
    /// Samples that came, and the place in the signal of the first sample in `filtered`, which is negative at first.
    private var received = 0
    private var place = 0

    private static let length = DCTFilterConfiguration.pageLength
    /// The most samples that one call of `receive` gets.
    public static let mostSamples = RealFFT.batch * length

    /// Plans the transforms and makes every buffer.
    ///
    /// - Throws: `SignalError` where memory or a plan is not to be had.
    public init(_ envelope: DCTEnvelope, pages: DCTFilterPages = .overlapping) throws(SignalError) {
        self.envelope = envelope
        self.pages = pages
        hop = pages.hop
        // Always a whole batch is run. Where `flush` follows every page, as in live, four times as many pages then cost no more.
        batch = RealFFT.batch * hop / Self.length
        envelopes = Array(repeating: envelope, count: batch)
        forward = try RealFFT(length: Self.length, rows: batch)
        cosine = CosineTransform(length: Self.length)
        backward = try RealToRealTransform(
            type: .three, length: Self.length, normalization: .none, scale: 2 / Double(Self.length), rows: batch)
        let shape = Self.window(pages)
        window = FrameWindow(
            shape, factor: forward.inputFactor, order: .evenThenOddReversed, fftLength: Self.length)
        let sum = stride(from: 0, to: Self.length, by: hop).reduce(0) { $0 + shape[$1] * shape[$1] }
        fade = pages == .overlapping ? shape.map { Float($0 / sum) } : []
        page = try AlignedBuffer(count: Self.length)
        coefficients = try AlignedBuffer(count: Self.length)
        filtered = try AlignedBuffer(count: batch * hop + Self.length - hop)
        reset()
    }

    /// What the samples of a page are multiplied by on both sides of the transforms.
    private static func window(_ pages: DCTFilterPages) -> [Double] {
        (0..<length).map { n in
            let sine = sin(Double.pi * (Double(n) + 0.5) / Double(length))
            return pages == .overlapping ? sine * sine : 1
        }
    }

    /// Samples that a page has in common with the one before it.
    private var overlap: Int { Self.length - hop }

    /// Changes the envelope for the pages that are not complete yet. The one that is being filled counts as such.
    public func setEnvelope(_ envelope: DCTEnvelope) { self.envelope = envelope }

    /// Takes samples and hands over those of the batches that they complete.
    ///
    /// - Parameters:
    ///   - samples: On any scale.
    ///   - receive: Gets filtered samples, up to `mostSamples` at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard let start = samples.baseAddress else { return }
        var taken = 0
        while taken < samples.count {
            if filled == 0, samples.count - taken >= Self.length {
                add(start + taken)
                taken += Self.length
                received += Self.length
            } else {
                let count = min(Self.length - filled, samples.count - taken)
                (page.pointer + filled).update(from: start + taken, count: count)
                filled += count
                taken += count
                received += count
                if filled == Self.length { addPage() }
            }
            if waiting == batch { try runBatch(receive) }
        }
    }

    /// Hands over the samples of all complete pages, without waiting for a batch: up to 1023 samples are held back.
    ///
    /// - Parameter receive: Gets filtered samples, valid during the call; it is not called where there are none.
    /// - Throws: What `receive` throws.
    public func flush<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        if waiting > 0 { try runBatch(receive) }
    }

    /// Hands over the samples that are left, so that as many have come out as went in, and begins a new signal.
    ///
    /// - Parameter receive: Gets filtered samples, valid during the call; it is not called where there are none.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        defer { reset() }
        // Until the last sample has been in all of its pages.
        while received > 0, place + waiting * hop < received {
            (page.pointer + filled).update(repeating: 0, count: Self.length - filled)
            addPage()
            if waiting == batch { try runBatch(receive) }
        }
        try flush(receive: receive)
    }

    /// Forgets a signal that was begun. The envelope stays.
    public func reset() {
        waiting = 0
        received = 0
        // The first page ends with the signal's first `hop` samples; before them there is silence.
        place = -overlap
        filled = overlap
        page.pointer.update(repeating: 0, count: overlap)
        filtered.pointer.update(repeating: 0, count: overlap)
    }

    /// Adds the page that is filled to the batch, and begins the next with what it has in common with it.
    private func addPage() {
        add(page.pointer)
        page.pointer.update(from: page.pointer + hop, count: overlap)
        filled = overlap
    }

    @inline(__always)
    private func add(_ page: UnsafePointer<Float>) {
        window.apply(page, into: forward.input.pointer + waiting * forward.rowStride)
        envelopes[waiting] = envelope
        waiting += 1
    }

    /// Filters the pages that wait, and hands over what is complete of the signal.
    private func runBatch<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        forward.execute()
        for row in 0..<waiting { shape(row) }
        backward.execute()
        for row in 0..<waiting { collect(row) }
        let count = waiting * hop
        let first = max(-place, 0)
        let last = min(count, received - place)
        waiting = 0
        place += count
        defer { filtered.pointer.update(from: filtered.pointer + count, count: overlap) }
        guard first < last else { return }
        try receive(UnsafeBufferPointer(start: filtered.pointer + first, count: last - first))
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

    /// Adds a filtered page to those that it overlaps.
    private func collect(_ row: Int) {
        let target = filtered.pointer + row * hop
        guard !fade.isEmpty else { return backward.coefficients(row: row, into: target) }
        let samples = coefficients.pointer
        backward.coefficients(row: row, into: samples)
        fade.withUnsafeBufferPointer { fade in
            for n in 0..<overlap { target[n] += samples[n] * fade[n] }
            for n in overlap..<Self.length { target[n] = samples[n] * fade[n] }
        }
    }
}
