import FeatureModel

/// The last steps of a row: values too far below the clip's peak are raised, bands become cepstral coefficients, slopes
/// over time are added, and rows are dropped and added as `RowsConfiguration` says.
///
/// `FeatureStream` does this itself, unless the peak is needed first (`FeaturePlan.needsWholeClip`): then buffer its rows,
/// and push them into a completion that was started with the stream's `peak`, as `ClipStream` does in memory. Nothing is
/// allocated after `init`. Not safe to use from two threads at once.
public final class RowCompletion {
    private let streamed: Int
    private let bands: Int
    private let bins: Int
    private let range: Float?
    private let cepstrum: Cepstrum?
    private let stages: [DeltaStage]
    private let raised: AlignedBuffer
    private let padded: AlignedBuffer
    /// A row before each delta stage, and one after the last.
    private let between: [AlignedBuffer]
    private let finished: AlignedBuffer
    private let arrangement: RowsConfiguration
    /// Whether rows are added at the end.
    private let fills: Bool
    private var threshold = -Float.infinity
    /// Finished rows that are not passed on.
    private var count = 0
    /// Finished rows of the clip.
    private var total = 0

    private static let batch = 16

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    public init(_ plan: FeaturePlan) throws(SignalError) {
        streamed = plan.streamedBins
        bands = plan.spectrumBins
        bins = plan.bins
        range = plan.topRange
        arrangement = plan.configuration.rows
        fills = plan.configuration.addsRowsEarly
        let configuration = plan.configuration.transform
        cepstrum = configuration.cepstrum.map(Cepstrum.init)
        let deltas = configuration.deltas
        let width = configuration.cepstrum?.bins ?? bands
        var stages: [DeltaStage] = []
        var between = [try AlignedBuffer(count: width)]
        for order in 0..<deltas.order {
            let columns = order * width..<(order + 1) * width
            stages.append(try DeltaStage(width: columns.upperBound, columns: columns, window: deltas.window))
            between.append(try AlignedBuffer(count: columns.upperBound + width))
        }
        self.stages = stages
        self.between = between
        raised = try AlignedBuffer(count: streamed)
        padded = try AlignedBuffer(count: (bands + 7) / 8 * 8)
        finished = try AlignedBuffer(count: bins * Self.batch)
    }

    /// Whether rows are final without cepstra and deltas.
    var isIdentity: Bool { cepstrum == nil && stages.isEmpty && !changesCount }

    /// Whether rows are dropped or added here. They are passed on in whole batches then, whatever the pieces that come.
    private var changesCount: Bool { arrangement.count != nil || fills }

    /// Starts a clip.
    ///
    /// - Parameter peak: The maximum of all its streamed rows (`FeatureStream.peak`); ignored without `scale.top_db`.
    public func start(peak: Float) {
        threshold = range.map { peak - $0 } ?? -.infinity
        (count, total) = (0, 0)
        for stage in stages { stage.reset() }
    }

    /// Completes rows.
    ///
    /// - Parameters:
    ///   - rows: Whole rows of `FeaturePlan.streamedBins` values, in the clip's order, in pieces of any size.
    ///   - receive: Gets whole rows of `FeaturePlan.bins` values, up to 16 at a time, valid during the call.
    /// - Precondition: The number of values is a multiple of `streamedBins`.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ rows: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(rows.count % streamed == 0, "completion needs whole rows")
        guard let source = rows.baseAddress else { return }
        for row in 0..<rows.count / streamed { try complete(source + row * streamed, receive) }
        if !changesCount { try deliver(receive) }
    }

    /// Passes on the remaining rows, before `start` for the next clip.
    ///
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        for (index, stage) in stages.enumerated() {
            while stage.flush(into: between[index + 1].pointer) { try pass(from: index + 1, receive) }
        }
        if fills, total < arrangement.filled(total) {
            let missing = arrangement.filled(total) - total
            between[stages.count].pointer.update(repeating: Float(arrangement.fill), count: bins)
            for _ in 0..<missing { try add(receive) }
        }
        try deliver(receive)
    }

    @inline(__always)
    private func complete<Failure: Error>(
        _ row: UnsafePointer<Float>, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        // The energy after the bands, if any, is not compared with their peak.
        raised.pointer.update(from: row, count: streamed)
        if threshold > -.infinity {
            for band in 0..<bands where raised.pointer[band] < threshold { raised.pointer[band] = threshold }
        }
        if let cepstrum {
            cepstrum.apply(raised.pointer, padded: padded.pointer, into: between[0].pointer)
        } else {
            between[0].pointer.update(from: raised.pointer, count: bands)
        }
        try pass(from: 0, receive)
    }

    /// Passes the row before stage `index` through that stage and the later ones.
    private func pass<Failure: Error>(
        from index: Int, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        for stage in index..<stages.count {
            guard stages[stage].push(between[stage].pointer, into: between[stage + 1].pointer) else { return }
        }
        try add(receive)
    }

    /// Adds the row after the last stage to those that are finished.
    private func add<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard total < arrangement.count ?? .max else { return }
        total += 1
        (finished.pointer + count * bins).update(from: between[stages.count].pointer, count: bins)
        count += 1
        if count == Self.batch { try deliver(receive) }
    }

    private func deliver<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard count > 0 else { return }
        let values = count * bins
        count = 0
        try receive(UnsafeBufferPointer(start: finished.pointer, count: values))
    }
}
