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
    /// Values in a finished row, and numbers: values, with their rests where it keeps them.
    private let bins, width: Int
    private var peak: PeakSteps<Float>
    private let cepstrum: Cepstrum?
    private let coefficients: Int
    private let stages: DeltaStages<Float>
    /// Rows of bands, padded for the cepstrum.
    private let raised: FloatBuffer
    /// Rows before the slopes; without them, they are finished.
    private let completed: FloatBuffer
    private let finished: FloatBuffer
    private let arrangement: RowsConfiguration
    /// Whether rows are added at the end.
    private let padsRows: Bool
    /// Whether added rows hold the clip's least value, and that so far.
    private let fillsWithLeast: Bool
    private var least = Double.infinity
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
        bins = plan.computedBins
        width = bins * (self.keepsRests ? 2 : 1)
        peak = PeakSteps(plan)
        fillsWithLeast = plan.configuration.addsRowsEarly && plan.configuration.rows.fillsWithLeast
        arrangement = plan.configuration.rows
        padsRows = plan.configuration.addsRowsEarly
        let configuration = plan.configuration.transform
        coefficients = configuration.cepstrum?.bins ?? 0
        cepstrum = configuration.cepstrum.map(Cepstrum.init)
        let deltas = configuration.deltas
        let columns = configuration.cepstrum?.bins ?? bands
        stages = try DeltaStages(order: precise == nil ? deltas.order : 0, window: deltas.window, columns: columns)
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
        peak.start(peak: exactPeak)
        (count, total, least) = (0, 0, .infinity)
        stages.reset()
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
        while stages.flush(into: finished.pointer + count * width) { try add(1, receive) }
        if padsRows, total < arrangement.filled(total) {
            let missing = arrangement.filled(total) - total
            let fill = fillsWithLeast ? least : arrangement.fill
            for _ in 0..<missing {
                RowRests.round(
                    repeating: fill, count: bins, into: finished.pointer + count * width, keepsRests: keepsRests)
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
                Kernels.best.pointee.raise(source + row * streamed, bands, peak.threshold, target)
                lower(target, count: bands)
            }
            cepstrum.apply(
                raised.pointer, count: rows, energies: source + bands, distance: streamed, into: target, width: columns)
        } else {
            Kernels.best.pointee.raise(source, rows * bands, peak.threshold, target)
            lower(target, count: rows * bands)
        }
        guard !stages.isEmpty else { return try add(rows, receive) }
        for row in 0..<rows where stages.push(target + row * columns, into: finished.pointer + count * width) {
            try add(1, receive)
        }
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
        let source = precise.finished.pointer
        RowRests.round(source, count: bins, into: finished.pointer + count * width, keepsRests: keepsRests)
        if fillsWithLeast, total < arrangement.count ?? .max {
            for bin in 0..<bins { least = min(least, source[bin]) }
        }
        try add(1, receive)
    }

    /// Makes values relative to the peak, where they are to be.
    private func lower(_ values: UnsafeMutablePointer<Float>, count: Int) {
        guard peak.isRelative else { return }
        let lowering = peak.lowering
        for index in 0..<count { values[index] -= lowering }
    }

    /// Counts rows that were just written after the finished ones, as far as the clip may have more.
    private func add<Failure: Error>(
        _ rows: Int, _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let taken = min(rows, (arrangement.count ?? .max) - total)
        if fillsWithLeast, precise == nil {
            let written = finished.pointer + count * width
            for index in 0..<max(taken, 0) * width { least = min(least, Double(written[index])) }
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
