import FeatureModel

/// The last steps of a row: values too far below the clip's peak are raised, or all made relative to it, bands become cepstral coefficients, slopes
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
    private let coefficients: Int
    private let stages: [DeltaStage]
    /// Rows of bands, padded for the cepstrum.
    private let raised: FloatBuffer
    /// Rows before the first delta stage; without one, they are finished.
    private let completed: FloatBuffer
    /// A row after each delta stage but the last, whose rows are finished.
    private let between: [FloatBuffer]
    private let finished: FloatBuffer
    private let arrangement: RowsConfiguration
    /// Whether rows are added at the end.
    private let padsRows: Bool
    private var threshold = -Float.infinity
    /// The value of the peak once all are relative to it; nil: they are not.
    private let reference: Float?
    /// What is subtracted from every value.
    private var lowering: Float = 0
    /// Whether added rows hold the clip's least value, and that so far.
    private let fillsWithLeast: Bool
    private var least = Float.infinity
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
        bins = plan.computedBins
        range = plan.topRange
        reference = plan.peakReference
        fillsWithLeast = plan.configuration.addsRowsEarly && plan.configuration.rows.fillsWithLeast
        arrangement = plan.configuration.rows
        padsRows = plan.configuration.addsRowsEarly
        let configuration = plan.configuration.transform
        coefficients = configuration.cepstrum?.bins ?? 0
        cepstrum = configuration.cepstrum.map(Cepstrum.init)
        let deltas = configuration.deltas
        let width = configuration.cepstrum?.bins ?? bands
        var stages: [DeltaStage] = []
        var between: [FloatBuffer] = []
        for order in 0..<deltas.order {
            let columns = order * width..<(order + 1) * width
            stages.append(try DeltaStage(width: columns.upperBound, columns: columns, window: deltas.window))
            if order + 1 < deltas.order { between.append(try FloatBuffer(count: columns.upperBound + width)) }
        }
        self.stages = stages
        self.between = between
        raised = try FloatBuffer(count: (cepstrum?.paddedBands ?? 0) * Self.batch)
        completed = try FloatBuffer(count: stages.isEmpty ? 0 : width * Self.batch)
        finished = try FloatBuffer(count: bins * Self.batch)
    }

    /// Whether rows are final without cepstra and deltas.
    var isIdentity: Bool { cepstrum == nil && stages.isEmpty && !changesCount }

    /// Whether rows are dropped or added here. They are passed on in whole batches then, whatever the pieces that come.
    private var changesCount: Bool { arrangement.count != nil || padsRows }

    /// Starts a clip.
    ///
    /// - Parameter peak: The maximum of all its streamed rows (`FeatureStream.peak`); ignored without `scale.top_db`.
    public func start(peak: Float) {
        threshold = range.map { peak - $0 } ?? -.infinity
        lowering = reference.map { peak - $0 } ?? 0
        (count, total, least) = (0, 0, .infinity)
        for stage in stages { stage.reset() }
    }

    /// Completes rows.
    ///
    /// - Parameters:
    ///   - rows: Whole rows of `FeaturePlan.streamedBins` values, in the clip's order, in pieces of any size.
    ///   - receive: Takes whole rows of `FeaturePlan.bins` values, or those from before columns are resized, up to 16 at a time, valid
    ///     during the call.
    /// - Precondition: The number of values is a multiple of `streamedBins`.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ rows: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(rows.count % streamed == 0, "completion needs whole rows")
        guard let source = rows.baseAddress else { return }
        var (row, left) = (source, rows.count / streamed)
        while left > 0 {
            let number = min(left, stages.isEmpty ? Self.batch - count : Self.batch)
            try complete(row, rows: number, receive)
            row += number * streamed
            left -= number
        }
        if !changesCount { try deliver(receive) }
    }

    /// Passes on the remaining rows, before `start` for the next clip.
    ///
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        for (index, stage) in stages.enumerated() {
            while stage.flush(into: output(of: index)) { try pass(output(of: index), from: index + 1, receive) }
        }
        if padsRows, total < arrangement.filled(total) {
            let missing = arrangement.filled(total) - total
            let fill = fillsWithLeast ? least : Float(arrangement.fill)
            for _ in 0..<missing {
                (finished.pointer + count * bins).update(repeating: fill, count: bins)
                try add(1, receive)
            }
        }
        try deliver(receive)
    }

    /// Completes at most a batch of rows; without delta stages, no more than `finished` has space for.
    @inline(__always)
    private func complete<Failure: Error>(
        _ source: UnsafePointer<Float>, rows: Int, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let target = stages.isEmpty ? finished.pointer + count * bins : completed.pointer
        let width = cepstrum == nil ? bands : coefficients
        if let cepstrum {
            // The energy after the bands, if any, is not compared with their peak.
            for row in 0..<rows {
                let target = raised.pointer + row * cepstrum.paddedBands
                Kernels.best.pointee.raise(source + row * streamed, bands, threshold, target)
                lower(target, count: bands)
            }
            cepstrum.apply(
                raised.pointer, count: rows, energies: source + bands, distance: streamed, into: target, width: width)
        } else {
            Kernels.best.pointee.raise(source, rows * bands, threshold, target)
            lower(target, count: rows * bands)
        }
        guard !stages.isEmpty else { return try add(rows, receive) }
        for row in 0..<rows { try pass(target + row * width, from: 0, receive) }
    }

    /// Makes values relative to the peak, where they are to be.
    private func lower(_ values: UnsafeMutablePointer<Float>, count: Int) {
        guard reference != nil else { return }
        for index in 0..<count { values[index] -= lowering }
    }

    /// Where stage `index` writes its rows: those of the last one are finished.
    private func output(of index: Int) -> UnsafeMutablePointer<Float> {
        index + 1 < stages.count ? between[index].pointer : finished.pointer + count * bins
    }

    /// Passes the row before stage `index` through that stage and the later ones.
    private func pass<Failure: Error>(
        _ row: UnsafePointer<Float>, from index: Int,
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        var row = row
        for stage in index..<stages.count {
            let output = output(of: stage)
            guard stages[stage].push(row, into: output) else { return }
            row = UnsafePointer(output)
        }
        try add(1, receive)
    }

    /// Counts rows that were just written after the finished ones, as far as the clip may have more.
    private func add<Failure: Error>(
        _ rows: Int, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let taken = min(rows, (arrangement.count ?? .max) - total)
        if fillsWithLeast {
            let written = finished.pointer + count * bins
            for index in 0..<max(taken, 0) * bins { least = min(least, written[index]) }
        }
        total += taken
        count += taken
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
