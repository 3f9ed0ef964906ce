import FeatureModel
import Numerics

/// An equaliser in the DCT domain, for a stream of samples of one channel.
///
/// The stream is cut into pages of 1024 samples. Each page's DCT-II is multiplied by the envelope, and a DCT-III divided by
/// 512 brings it back. Nothing is delayed: sample n of the output belongs to sample n of the input, and the two have the same
/// length. Pages are cut and joined in one of two ways:
///
/// - `overlapping`: a page starts every 256 samples, the first at −768 and the last at the last multiple of 256 before the
///   end, with zeros past both ends of the signal. Each is multiplied by w[n] = sin²(π(n + ½)/1024), a Hann window, before
///   the DCT-II and again after the DCT-III, and the pages are added. Σ w² = 3/2 wherever four pages overlap, so ⅔ of the sum
///   is the signal where the envelope is 1. The response to an impulse reaches less than a page to either side. Measured in
///   double precision, over all phases, a steady tone 13 bins or more from the edges of the band differs from the ideal by at most
///   −70 dB of its own peak, −82 dB from 20 bins on and −89 dB from 30; in a band narrower than 60 bins, where both
///   edges count, by −68 dB. A window before the transform alone leaves −59 dB, a sine window twice −50 dB, with pages that
///   overlap by half −48 dB.
/// - `separate`: a page starts every 1024 samples, without a window; the last one is padded with zeros, and output
///   past the end of the signal is dropped. Where two pages meet, a tone inside the band is off by up to its amplitude: it clicks.
///
/// Samples may arrive in pieces of any size: the output does not depend on it, to the last bit. A sample needs all of its
/// pages: the last of them ends at most 1023 samples later. Pages are computed in batches, 4 overlapping ones
/// or 16 separate ones, so output may be delayed by a batch; `flush` passes complete pages on at once. Overlapping pages
/// take four times the transforms. Nothing is allocated after `init`; memory does not grow with the length of the signal.
/// Not safe to use from two threads at once.
public final class DCTFilter {
    /// The envelope of the next complete page.
    public private(set) var envelope: DCTEnvelope
    /// The kind of pages.
    public let pages: DCTFilterPages

    private let hop: Int
    /// Pages transformed at a time.
    private let batch: Int
    private let forward: LaneCosine
    private let backward: LaneCosine
    /// Factors of a page in the sum of overlapping pages; empty for separate pages.
    private let fade: [Float]
    /// For each waiting page, the envelope at its last sample.
    private var envelopes: [DCTEnvelope]
    /// Complete pages, and their number.
    private let pageRows: FloatBuffer
    private var waiting = 0
    /// The incomplete page, and its number of samples.
    private let page: FloatBuffer
    private var filled = 0
    /// Coefficients, then samples, of a group of pages.
    private let coefficients: FloatBuffer
    /// The sum of a batch's filtered pages, then the part that the next batch adds to.
    private let filtered: FloatBuffer
    /// Samples received, and the position in the signal of the first sample in `filtered`, which is negative at first.
    private var received = 0
    private var position = 0

    private static let length = DCTFilterConfiguration.pageLength
    /// Maximum number of samples per call of `receive`.
    public static let maximumSamples = maximumBatch * length
    private static let maximumBatch = 16

    /// Plans the transforms and allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    public init(_ envelope: DCTEnvelope, pages: DCTFilterPages = .overlapping) throws(SignalError) {
        self.envelope = envelope
        self.pages = pages
        hop = pages.hop
        batch = Self.maximumBatch * hop / Self.length
        envelopes = Array(repeating: envelope, count: batch)
        let shape = Self.window(pages)
        forward = try LaneCosine(type: .two, length: Self.length, window: LaneWindow(weights: shape))
        let scaling = CosineScaling(.three, length: Self.length, .none, scale: 2 / Double(Self.length))
        backward = try LaneCosine(type: .three, length: Self.length, window: LaneWindow(weights: scaling.weights))
        pageRows = try FloatBuffer(count: Self.length * batch + 3)
        let sum = stride(from: 0, to: Self.length, by: hop).reduce(0) { $0 + shape[$1] * shape[$1] }
        fade = pages == .overlapping ? shape.map { Float($0 / sum) } : []
        page = try FloatBuffer(count: Self.length)
        coefficients = try FloatBuffer(count: Self.length * forward.groupRows + 3)
        filtered = try FloatBuffer(count: batch * hop + Self.length - hop)
        reset()
    }

    /// The window of a page, before and after the transforms.
    private static func window(_ pages: DCTFilterPages) -> [Double] {
        (0..<length).map { n in
            let sine = UnitCircle.point(2 * n + 1, of: 4 * length).sine
            return pages == .overlapping ? sine * sine : 1
        }
    }

    /// Samples that a page shares with the one before.
    private var overlap: Int { Self.length - hop }

    /// Changes the envelope for all pages that are not complete, the current one included.
    public func setEnvelope(_ envelope: DCTEnvelope) { self.envelope = envelope }

    /// Takes samples and passes on those of the batches that they complete.
    ///
    /// - Parameters:
    ///   - samples: On any scale.
    ///   - receive: Takes filtered samples, up to `maximumSamples` at a time, valid during the call.
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

    /// Passes on the samples of all complete pages, without waiting for a full batch: up to 1023 samples are held back.
    ///
    /// - Parameter receive: Takes filtered samples, valid during the call; not called without samples.
    /// - Throws: What `receive` throws.
    public func flush<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        if waiting > 0 { try runBatch(receive) }
    }

    /// Passes on the remaining samples, up to the length of the input, and starts a new signal.
    ///
    /// - Parameter receive: Takes filtered samples, valid during the call; not called without samples.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        defer { reset() }
        // Until all pages of the last sample are complete.
        while received > 0, position + waiting * hop < received {
            (page.pointer + filled).update(repeating: 0, count: Self.length - filled)
            addPage()
            if waiting == batch { try runBatch(receive) }
        }
        try flush(receive: receive)
    }

    /// Discards an unfinished signal, and keeps the envelope.
    public func reset() {
        waiting = 0
        received = 0
        // The first page ends with the signal's first `hop` samples; before them there is silence.
        position = -overlap
        filled = overlap
        page.pointer.update(repeating: 0, count: overlap)
        filtered.pointer.update(repeating: 0, count: overlap)
    }

    /// Adds the full page to the batch, and starts the next with their overlap.
    private func addPage() {
        add(page.pointer)
        page.pointer.update(from: page.pointer + hop, count: overlap)
        filled = overlap
    }

    @inline(__always)
    private func add(_ page: UnsafePointer<Float>) {
        (pageRows.pointer + waiting * Self.length).update(from: page, count: Self.length)
        envelopes[waiting] = envelope
        waiting += 1
    }

    /// Filters the waiting pages, and passes on the complete samples.
    private func runBatch<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        var first = 0
        while first < waiting {
            let group = min(waiting - first, forward.groupRows)
            filter(first..<first + group)
            first += group
        }
        let count = waiting * hop
        let start = max(-position, 0)
        let end = min(count, received - position)
        waiting = 0
        position += count
        defer { filtered.pointer.update(from: filtered.pointer + count, count: overlap) }
        guard start < end else { return }
        try receive(UnsafeBufferPointer(start: filtered.pointer + start, count: end - start))
    }

    /// Multiplies the coefficients of a group of pages by their envelopes, and adds the filtered pages to the sum.
    private func filter(_ pages: Range<Int>) {
        let (length, rows) = (Self.length, coefficients.pointer)
        forward.transform(
            FrameRun(first: pageRows.pointer + pages.lowerBound * length, stride: length, count: pages.count))
        forward.store(columns: length, into: rows, width: length, rows: pages.count)
        for (row, page) in pages.enumerated() {
            envelopes[page].values.withUnsafeBufferPointer { values in
                for k in 0..<length { rows[row * length + k] *= values[k] }
            }
        }
        backward.transform(FrameRun(first: rows, stride: length, count: pages.count))
        backward.store(columns: length, into: rows, width: length, rows: pages.count)
        for (row, page) in pages.enumerated() { collect(rows + row * length, page) }
    }

    /// Adds a filtered page to the sum.
    private func collect(_ samples: UnsafePointer<Float>, _ page: Int) {
        let target = filtered.pointer + page * hop
        guard !fade.isEmpty else { return target.update(from: samples, count: Self.length) }
        fade.withUnsafeBufferPointer { fade in
            for n in 0..<overlap { target[n] += samples[n] * fade[n] }
            for n in overlap..<Self.length { target[n] = samples[n] * fade[n] }
        }
    }
}

/// The factors of a page's bins in a `DCTFilter`: 1 keeps a bin, 0 removes it.
public struct DCTEnvelope: Hashable, Sendable {
    /// The factors of bins 0 … 1023; at a sample rate R, bin k stands for k · R/2048 Hz.
    public let values: [Float]

    /// The envelope of a band at a sample rate.
    ///
    /// - Parameters:
    ///   - configuration: The band, and whether it is kept or removed.
    ///   - sampleRate: In Hz, more than 0.
    /// - Throws: `ConfigurationError` for edges that are invalid at the rate.
    public init(_ configuration: DCTFilterConfiguration, sampleRate: Double) throws(ConfigurationError) {
        self.init(configuration.mode, bins: try configuration.bins(at: sampleRate))
    }

    /// The envelope of a band whose edges are given in bins.
    ///
    /// For a band-pass the straight lines through 0 at `low` − 2, 1 at `low`, 1 at `high` and 0 at `high` + 2; for a
    /// band-stop 1 minus these. An edge within two bins of an end of the spectrum has its slope cut off there, so
    /// a band-pass from 0 to 1024, or 1023, keeps everything.
    public init(_ mode: DCTFilterMode, bins: ClosedRange<Int>) {
        let (low, high) = (Float(bins.lowerBound), Float(bins.upperBound))
        values = (0..<DCTFilterConfiguration.pageLength).map { bin in
            let rise = (Float(bin) - (low - 2)) / 2
            let fall = (high + 2 - Float(bin)) / 2
            let pass = max(0, min(1, rise, fall))
            return mode == .bandPass ? pass : 1 - pass
        }
    }

    /// An envelope of any shape.
    ///
    /// - Parameter values: The factors of bins 0 … 1023; nil for any other number of factors, or where one is not finite.
    public init?(values: [Float]) {
        guard values.count == DCTFilterConfiguration.pageLength, values.allSatisfy(\.isFinite) else { return nil }
        self.values = values
    }
}
