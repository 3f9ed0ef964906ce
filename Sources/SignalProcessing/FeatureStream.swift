import FeatureModel

/// Turns a stream of samples into rows of features: the workspace of one worker.
///
/// Samples may arrive in pieces of any size: the rows do not depend on it, to the last bit, and equal those of
/// `FeaturePlan.features(of:)`. After `finish` the stream is ready for the next clip. Rows are computed in batches of 16 and
/// come up to 15 frames late (`flush` does not wait), with deltas by another `deltas · delta_window` rows. Nothing is allocated
/// after `init`; memory does not grow with the length of the signal.
///
///     let stream = try FeatureStream(plan)
///     let first = stream.push(samples)                    // [Float] in, FeatureMatrix out
///     let rest = stream.finish()
///
/// Two things of the whole clip may be needed: its level, for `condition.remove_dc` and `condition.gain`
/// (`FeaturePlan.needsSurvey`), and its peak, for `scale.top_db` (`FeaturePlan.needsWholeClip`). Without the peak, rows come before
/// the last steps, `FeaturePlan.streamedBins` values wide, for a `RowCompletion`; `ClipStream` does both, and loses no digits in
/// between where rows are double precision until their clip is normalised. Rows are never normalised here, nor resized (`rows.resize`,
/// `rows.resize_bins`): a `ClipStream` does that, too.
///
/// Not safe to use from two threads at once.
public final class FeatureStream {
    /// The plan.
    public let plan: FeaturePlan
    /// The maximum of all bands or bins since `start`; −∞ before the first row, and where `scale.top_db` is not set.
    public var peak: Float { Float(exactPeak) }
    /// The same in double precision.
    package private(set) var exactPeak = -Double.infinity
    /// Values in the resulting rows.
    public private(set) var rowBins: Int
    /// Whether the values of the resulting rows are followed by their rests, which `rowBins` counts, too.
    package private(set) var rowsHaveRests = false

    private let conditioner: SignalConditioner
    private var cutter: FrameCutter
    private let transform: FrameTransform
    private let scale: PowerScale
    private let energyScale: PowerScale
    private let energyNormalizer: EnergyNormalizer?
    private let completion: RowCompletion
    /// Whether rows pass through `completion`.
    private var completes = false
    /// Whether `peak` is still that of the previous clip.
    private var keepsOldPeak = false
    /// Frames that wait for a full batch.
    private let gathered: GatheredFrames
    /// Scaled rows that are not passed on.
    private var filled = 0
    /// The energies of those rows.
    private let energies: FloatBuffer
    /// The rows of a piece, one after another.
    private let rows: FloatBuffer
    /// The same, and their energies, where the plan keeps double precision.
    private let exactRows, exactEnergies: DoubleBuffer
    /// Whether the values of rows are followed by their rests (`RowRests`): of final ones, and of those before the last steps.
    private let keepsRests, streamsRests: Bool

    /// Rows passed on at a time, a multiple of every batch of the transform.
    package static let pieceRows = 16

    /// Plans the transform and allocates every buffer.
    ///
    /// - Throws: `SignalError` where memory runs out, or FFTW, where it is asked for, has no plan.
    public convenience init(_ plan: FeaturePlan) throws(SignalError) {
        try self.init(plan, keepsRests: false, streamsRests: false)
    }

    /// - Parameters:
    ///   - keepsRests: Whether final rows have rests where the plan's `hasRests`.
    ///   - streamsRests: Whether rows before the last steps have `FeaturePlan.streamedWidth` numbers.
    /// - Throws: `SignalError` where memory runs out, or FFTW, where it is asked for, has no plan.
    package init(_ plan: FeaturePlan, keepsRests: Bool, streamsRests: Bool) throws(SignalError) {
        self.plan = plan
        self.keepsRests = keepsRests && plan.computesRests
        self.streamsRests = streamsRests && plan.isPrecise
        let configuration = plan.configuration
        conditioner = try SignalConditioner(plan)
        cutter = FrameCutter(
            geometry: plan.geometry, placement: plan.placement, hasRest: SignalConditioner.hasRest(plan))
        transform = try FrameTransform(plan)
        precondition(Self.pieceRows % transform.batch == 0, "pieces of whole batches")
        gathered = try GatheredFrames(
            count: transform.batch, length: plan.geometry.length, hasRest: SignalConditioner.hasRest(plan))
        scale = PowerScale(configuration.scale, input: transform.output)
        energyScale = PowerScale(configuration.scale)
        energyNormalizer = configuration.scale.pcen.map {
            EnergyNormalizer($0, scale: configuration.scale, bins: plan.spectrumBins, framePeriod: plan.hopPeriod)
        }
        completion = try RowCompletion(plan, takesRests: true, keepsRests: keepsRests)
        energies = try FloatBuffer(count: Self.pieceRows)
        // The kernels store eight values at a time: the last row needs space after it.
        rows = try FloatBuffer(count: plan.streamedWidth * Self.pieceRows + 8)
        exactRows = try DoubleBuffer(count: plan.isPrecise ? plan.streamedBins * Self.pieceRows : 0)
        exactEnergies = try DoubleBuffer(count: plan.isPrecise ? Self.pieceRows : 0)
        rowBins = plan.computedBins
        start()
    }

    /// Starts a clip, discarding an unfinished one.
    ///
    /// - Parameters:
    ///   - level: The clip's level (`SignalSurvey`), where the plan needs it; ignored otherwise.
    ///   - peak: `peak` of a stream after the whole clip, where the plan needs it and it is known. Rows are final then.
    public func start(_ level: SignalLevel = .none, peak: Float? = nil) {
        start(level, exactPeak: peak.map(Double.init))
    }

    /// The same, with the peak in double precision.
    package func start(_ level: SignalLevel, exactPeak peak: Double?) {
        conditioner.start(plan.needsSurvey ? level : SignalSurvey(plan).level)
        cutter.reset()
        energyNormalizer?.reset()
        completion.start(exactPeak: peak ?? 0)
        completes = !plan.needsWholeClip ? !completion.isIdentity : peak != nil
        let isStreamed = plan.needsWholeClip && peak == nil
        rowsHaveRests = isStreamed ? streamsRests : keepsRests
        rowBins = (isStreamed ? plan.streamedBins : plan.computedBins) * (rowsHaveRests ? 2 : 1)
        exactPeak = -.infinity
        keepsOldPeak = false
        gathered.removeAll()
        filled = 0
    }

    /// Takes samples and passes on the rows that they complete.
    ///
    /// - Parameters:
    ///   - samples: On the unit scale, at the plan's sample rate.
    ///   - receive: Takes whole rows of `rowBins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        try conditioner.push(samples) { piece throws(Failure) in try cut(piece, receive) }
    }

    /// Passes on the rows of all complete frames, without waiting for a full batch.
    ///
    /// - Throws: What `receive` throws.
    public func flush<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try conditioner.flush { piece throws(Failure) in try cut(piece, receive) }
        try deliver(receive)
    }

    /// Passes on the remaining rows, those past the signal's end included, and starts a new signal.
    ///
    /// `peak` keeps the finished signal's value until the next signal has a row.
    ///
    /// - Parameter receive: Takes whole rows of `rowBins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try conditioner.finish { piece throws(Failure) in try cut(piece, receive) }
        try cutter.finish { frames throws(Failure) in try take(frames, receive) }
        try deliver(receive)
        if completes { try completion.finish(receive: receive) }
        let peak = exactPeak
        start()
        exactPeak = peak
        keepsOldPeak = true
    }

    @inline(__always)
    private func cut<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        try cutter.push(samples, rest: conditioner.rest) { frames throws(Failure) in try take(frames, receive) }
    }

    /// Transforms frames where they are, batch by batch; those that do not fill one wait.
    @inline(__always)
    private func take<Failure: Error>(
        _ frames: FrameRun, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        var frames = frames
        while frames.count > 0 {
            if gathered.isEmpty, frames.count >= transform.batch {
                transform(frames.take(transform.batch))
            } else {
                gathered.append(frames.take(1))
                guard gathered.isFull else { continue }
                transformGathered()
            }
            if filled == Self.pieceRows { try deliver(receive) }
        }
    }

    private func transformGathered() {
        guard !gathered.isEmpty else { return }
        transform(gathered.frames)
        gathered.removeAll()
    }

    /// Appends the values of frames to the rows, and scales them while they are in the cache.
    private func transform(_ frames: FrameRun) {
        if plan.isPrecise {
            append(frames, to: exactRows, energies: exactEnergies)
        } else {
            append(frames, to: rows, energies: energies)
        }
    }

    private func append<Number: RowNumber>(
        _ frames: FrameRun, to rows: NumberBuffer<Number>, energies: NumberBuffer<Number>
    ) {
        let (width, bands) = (plan.streamedBins, plan.spectrumBins)
        let (rows, energies) = (rows.pointer + filled * width, energies.pointer + filled)
        transform.values(of: frames, into: rows, width: width, energies: energies)
        filled += frames.count
        guard width > bands else { return Number.scale(rows, count: frames.count * bands, by: scale) }
        Number.scale(energies, count: frames.count, by: energyScale)
        for row in 0..<frames.count {
            Number.scale(rows + row * width, count: bands, by: scale)
            rows[row * width + bands] = energies[row]
        }
    }

    /// Passes on all rows.
    private func deliver<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        transformGathered()
        guard filled > 0 else { return }
        var width = plan.streamedBins
        if plan.isPrecise {
            finishPiece(exactRows)
            let keepsRests = completes || rowsHaveRests
            RowRests.round(exactRows.pointer, count: filled * width, into: rows.pointer, keepsRests: keepsRests)
            if keepsRests { width *= 2 }
        } else {
            finishPiece(rows)
        }
        let values = UnsafeBufferPointer<Float>(start: rows.pointer, count: filled * width)
        filled = 0
        if completes { try completion.push(values, receive: receive) } else { try receive(values) }
    }

    /// Normalises the energies of scaled rows, and raises the peak to them.
    private func finishPiece<Number: RowNumber>(_ rows: NumberBuffer<Number>) {
        energyNormalizer?.apply(rows.pointer, rows: filled)
        guard plan.needsWholeClip else { return }
        if keepsOldPeak { (exactPeak, keepsOldPeak) = (-.infinity, false) }
        let (width, bands) = (plan.streamedBins, plan.spectrumBins)
        var peak = Number(exactPeak)
        if width == bands {
            peak = Number.maximum(rows.pointer, count: filled * bands, peak)
        } else {
            for row in 0..<filled { peak = Number.maximum(rows.pointer + row * width, count: bands, peak) }
        }
        exactPeak = Double(peak)
    }
}

extension FeatureStream {
    /// Takes samples and returns the rows that they complete, `rowBins` values wide.
    ///
    /// The same as `push(_:receive:)`, at the cost of an array.
    ///
    /// - Parameter samples: On the unit scale, at the plan's sample rate.
    public func push(_ samples: [Float]) -> FeatureMatrix {
        var values: [Float] = []
        samples.withUnsafeBufferPointer { samples in push(samples) { values.append(contentsOf: $0) } }
        return FeatureMatrix(bins: rowBins, values: values)
    }

    /// Returns the remaining rows, those past the signal's end included, and starts a new signal.
    public func finish() -> FeatureMatrix {
        let bins = rowBins
        var values: [Float] = []
        finish { values.append(contentsOf: $0) }
        return FeatureMatrix(bins: bins, values: values)
    }
}
