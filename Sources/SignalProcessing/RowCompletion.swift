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
    /// Numbers in a finished row.
    private let width: Int
    private let range: Float?
    private let cepstrum: Cepstrum?
    private let coefficients: Int
    private let stages: [DeltaStage<Float>]
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
    private var exactLeast = Double.infinity
    /// Finished rows that are not passed on.
    private var count = 0
    /// Finished rows of the clip.
    private var total = 0
    /// Takes these steps where the plan keeps double precision; nil: they are taken here.
    private let precise: PreciseCompletion?
    /// A streamed row in double precision.
    private let wide: DoubleBuffer
    /// Whether the values of rows that come, and of finished ones, are followed by their rests (`RowRests`).
    private let takesRests, keepsRests: Bool

    private static let batch = 16

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    public convenience init(_ plan: FeaturePlan) throws(SignalError) {
        try self.init(plan, takesRests: false, keepsRests: false)
    }

    /// - Parameters:
    ///   - takesRests: Whether the rows that come have `FeaturePlan.streamedWidth` numbers.
    ///   - keepsRests: Whether finished rows have rests where the plan's `hasRests`.
    /// - Throws: `SignalError.outOfMemory`.
    package init(_ plan: FeaturePlan, takesRests: Bool, keepsRests: Bool) throws(SignalError) {
        self.takesRests = takesRests && plan.isPrecise
        self.keepsRests = keepsRests && plan.computesRests
        precise = plan.isPrecise ? try PreciseCompletion(plan) : nil
        wide = try DoubleBuffer(count: plan.isPrecise ? plan.streamedBins : 0)
        streamed = plan.streamedBins * (self.takesRests ? 2 : 1)
        bands = plan.spectrumBins
        width = plan.computedBins * (self.keepsRests ? 2 : 1)
        range = plan.topRange.map { Float($0) }
        reference = plan.peakReference.map { Float($0) }
        fillsWithLeast = plan.configuration.addsRowsEarly && plan.configuration.rows.fillsWithLeast
        arrangement = plan.configuration.rows
        padsRows = plan.configuration.addsRowsEarly
        let configuration = plan.configuration.transform
        coefficients = configuration.cepstrum?.bins ?? 0
        cepstrum = configuration.cepstrum.map(Cepstrum.init)
        let deltas = configuration.deltas
        let columns = configuration.cepstrum?.bins ?? bands
        var stages: [DeltaStage<Float>] = []
        var between: [FloatBuffer] = []
        for order in 0..<(precise == nil ? deltas.order : 0) {
            let own = order * columns..<(order + 1) * columns
            stages.append(try DeltaStage(width: own.upperBound, columns: own, window: deltas.window))
            if order + 1 < deltas.order { between.append(try FloatBuffer(count: own.upperBound + columns)) }
        }
        self.stages = stages
        self.between = between
        raised = try FloatBuffer(count: (cepstrum?.paddedBands ?? 0) * Self.batch)
        completed = try FloatBuffer(count: stages.isEmpty ? 0 : columns * Self.batch)
        finished = try FloatBuffer(count: width * Self.batch)
        changesNothing = configuration.cepstrum == nil && deltas.order == 0
    }

    /// Whether rows are final without cepstra and deltas.
    var isIdentity: Bool { changesNothing && !changesCount }
    /// Whether there are neither cepstra nor slopes over time.
    private let changesNothing: Bool

    /// Whether rows are dropped or added here. They are passed on in whole batches then, whatever the pieces that come.
    private var changesCount: Bool { arrangement.count != nil || padsRows }

    /// Starts a clip.
    ///
    /// - Parameter peak: The maximum of all its streamed rows (`FeatureStream.peak`); ignored without `scale.top_db`.
    public func start(peak: Float) { start(exactPeak: Double(peak)) }

    /// The same, with the maximum in double precision (`FeatureStream.exactPeak`).
    package func start(exactPeak: Double) {
        precise?.start(peak: exactPeak)
        let peak = Float(exactPeak)
        threshold = range.map { peak - $0 } ?? -.infinity
        lowering = reference.map { peak - $0 } ?? 0
        (count, total, least, exactLeast) = (0, 0, .infinity, .infinity)
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
        if let precise {
            for row in 0..<rows.count / streamed {
                widen(source + row * streamed)
                if precise.push(wide.pointer) { try take(precise, receive) }
            }
            if !changesCount { try deliver(receive) }
            return
        }
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
        if let precise { while precise.flush() { try take(precise, receive) } }
        for (index, stage) in stages.enumerated() {
            while stage.flush(into: output(of: index)) { try pass(output(of: index), from: index + 1, receive) }
        }
        if padsRows, total < arrangement.filled(total) {
            let missing = arrangement.filled(total) - total
            let exactFill = fillsWithLeast ? exactLeast : arrangement.fill
            let fill = fillsWithLeast ? precise == nil ? least : Float(exactLeast) : Float(arrangement.fill)
            for _ in 0..<missing {
                let row = finished.pointer + count * width
                if keepsRests {
                    for bin in 0..<width / 2 { RowRests.split(exactFill, into: row + 2 * bin) }
                } else {
                    row.update(repeating: fill, count: width)
                }
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
        let target = stages.isEmpty ? finished.pointer + count * width : completed.pointer
        let columns = cepstrum == nil ? bands : coefficients
        if let cepstrum {
            // The energy after the bands, if any, is not compared with their peak.
            for row in 0..<rows {
                let target = raised.pointer + row * cepstrum.paddedBands
                Kernels.best.pointee.raise(source + row * streamed, bands, threshold, target)
                lower(target, count: bands)
            }
            cepstrum.apply(
                raised.pointer, count: rows, energies: source + bands, distance: streamed, into: target, width: columns)
        } else {
            Kernels.best.pointee.raise(source, rows * bands, threshold, target)
            lower(target, count: rows * bands)
        }
        guard !stages.isEmpty else { return try add(rows, receive) }
        for row in 0..<rows { try pass(target + row * columns, from: 0, receive) }
    }

    /// Brings a streamed row to double precision.
    private func widen(_ row: UnsafePointer<Float>) {
        if takesRests {
            RowRests.join(row, count: streamed / 2, into: wide.pointer)
        } else {
            for index in 0..<streamed { wide.pointer[index] = Double(row[index]) }
        }
    }

    /// Appends a row that is finished in double precision to the others.
    private func take<Failure: Error>(
        _ precise: PreciseCompletion, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let (source, target) = (precise.finished.pointer, finished.pointer + count * width)
        if keepsRests {
            RowRests.split(source, count: width / 2, into: target)
        } else {
            for index in 0..<width { target[index] = Float(source[index]) }
        }
        if fillsWithLeast, total < arrangement.count ?? .max {
            for index in 0..<precise.finished.count { exactLeast = min(exactLeast, source[index]) }
        }
        try add(1, receive)
    }

    /// Makes values relative to the peak, where they are to be.
    private func lower(_ values: UnsafeMutablePointer<Float>, count: Int) {
        guard reference != nil else { return }
        for index in 0..<count { values[index] -= lowering }
    }

    /// Where stage `index` writes its rows: those of the last one are finished.
    private func output(of index: Int) -> UnsafeMutablePointer<Float> {
        index + 1 < stages.count ? between[index].pointer : finished.pointer + count * width
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
        if fillsWithLeast, precise == nil {
            let written = finished.pointer + count * width
            for index in 0..<max(taken, 0) * width { least = min(least, written[index]) }
        }
        total += taken
        count += taken
        if count == Self.batch { try deliver(receive) }
    }

    private func deliver<Failure: Error>(
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard count > 0 else { return }
        let values = count * width
        count = 0
        try receive(UnsafeBufferPointer(start: finished.pointer, count: values))
    }
}
