import FeatureModel

/// Turns a stream of samples into rows of features: the workspace of one worker.
///
/// Samples may come in pieces of any size: the rows, to the last bit, do not depend on it. After `finish` the stream
/// is ready for the next clip. Rows are computed in batches of 16, so they come out up to 15 frames late, the last at
/// `finish`. Nothing is allocated after `init`; memory does not grow with the length of the signal.
///
/// Not safe to use from two threads at once.
public final class FeatureStream {
    /// What is computed.
    public let plan: FeaturePlan

    private var cutter: FrameCutter
    private let window: FrameWindow
    private let transform: RealFFT
    private let cosine: CosineTransform?
    private let scale: PowerScale
    /// Frames that stand in the transform's input.
    private var waiting = 0
    /// Finished rows of a batch, one behind the other.
    private let rows: AlignedBuffer
    /// A spectrum's power, or its real part.
    private let spectrum: AlignedBuffer
    /// A spectrum's imaginary part; empty where it is not needed.
    private let imaginary: AlignedBuffer

    /// Plans the transform and makes every buffer.
    ///
    /// - Throws: `SignalError` where memory or a plan is not to be had.
    public init(_ plan: FeaturePlan) throws(SignalError) {
        self.plan = plan
        let fftLength = plan.geometry.fftLength
        let frame = plan.configuration.frame
        let isCosine = plan.configuration.transform.kind == .dct
        cutter = FrameCutter(geometry: plan.geometry, align: frame.align, pad: frame.pad)
        transform = try RealFFT(length: fftLength)
        cosine = isCosine ? CosineTransform(length: fftLength) : nil
        window = FrameWindow(
            plan.window, factor: plan.configuration.audio.scale.factor * transform.inputFactor,
            order: isCosine ? .evenThenOddReversed : .natural, fftLength: fftLength)
        scale = PowerScale(plan.configuration.scale)
        // The kernels store eight values at a time: the last row needs room behind it.
        rows = try AlignedBuffer(count: plan.bins * RealFFT.batch + 8)
        let spectrumSize = transform.bins + MelFilterBank.readPastEnd
        spectrum = try AlignedBuffer(count: isCosine ? spectrumSize + fftLength : spectrumSize)
        imaginary = try AlignedBuffer(count: isCosine ? spectrumSize : 0)
    }

    /// Takes samples and hands over the rows that they complete.
    ///
    /// - Parameters:
    ///   - samples: On the unit scale, at the plan's sample rate.
    ///   - receive: Gets whole rows of `plan.bins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        try cutter.push(samples) { frame throws(Failure) in try take(frame, receive) }
    }

    /// Hands over the rows that are left, those past the signal's end included, and begins a new signal.
    ///
    /// - Parameter receive: Gets whole rows of `plan.bins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        defer { waiting = 0 }
        try cutter.finish { frame throws(Failure) in try take(frame, receive) }
        if waiting > 0 { try runBatch(receive) }
    }

    /// Forgets a signal that was begun.
    public func reset() {
        cutter.reset()
        waiting = 0
    }

    @inline(__always)
    private func take<Failure: Error>(
        _ frame: UnsafePointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        window.apply(frame, into: transform.input.pointer + waiting * transform.rowStride)
        waiting += 1
        if waiting == RealFFT.batch { try runBatch(receive) }
    }

    private func runBatch<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        transform.execute()
        let bins = plan.bins
        for row in 0..<waiting { computeRow(row, into: rows.pointer + row * bins) }
        scale.apply(rows.pointer, count: waiting * bins)
        let count = waiting * bins
        waiting = 0
        try receive(UnsafeBufferPointer(start: rows.pointer, count: count))
    }

    /// The powers of a row. It may write up to seven values past its end, where the next row comes.
    private func computeRow(_ row: Int, into values: UnsafeMutablePointer<Float>) {
        if let cosine {
            let coefficients = spectrum.pointer + transform.bins + MelFilterBank.readPastEnd
            transform.spectrum(row: row, real: spectrum.pointer, imaginary: imaginary.pointer)
            cosine.coefficients(real: spectrum.pointer, imaginary: imaginary.pointer, into: coefficients)
            for bin in 0..<plan.bins { values[bin] = coefficients[bin] * coefficients[bin] }
        } else if let bank = plan.filterBank {
            transform.power(row: row, into: spectrum.pointer)
            bank.apply(spectrum.pointer, into: values)
        } else {
            transform.power(row: row, into: spectrum.pointer)
            values.update(from: spectrum.pointer, count: plan.bins)
        }
    }
}
