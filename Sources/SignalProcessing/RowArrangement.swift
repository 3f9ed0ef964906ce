import FeatureModel

/// The last step before a clip's rows are stored: after normalisation, rows are added (`RowsConfiguration`) and grouped into
/// patches (`PatchesConfiguration`).
///
///     arrangement.start()
///     try arrangement.push(rows, receive: receive)        // any number of times
///     try arrangement.finish(receive: receive)
///
/// The rows of patches come one patch after another, so rows that belong to two patches come twice:
/// `FeaturePlan.storedRowCount` of them altogether. Memory is that of two patches; nothing is allocated after `init`. Not safe to
/// use from two threads at once.
public final class RowArrangement {
    private let plan: FeaturePlan
    private let bins: Int
    private let patches: PatchesConfiguration
    /// What normalises stacked rows whose columns have constants of their own; nil: rows were normalised before.
    private let normalizer: Normalizer?
    private let shape: PatchShape?
    private let fill: Float
    /// Whether added rows hold the clip's least value, and that so far.
    private let fillsWithLeast: Bool
    private var least = Float.infinity
    /// Rows of a patch that is not whole yet.
    private let gathered: FloatBuffer
    /// What receivers get, and may change: a patch, or rows that are added.
    private let passed: FloatBuffer
    private let passedRows: Int
    private var held = 0
    /// Rows of the clip, those that were added included.
    private var total = 0
    private var patchCount = 0

    /// Values of added rows that are passed on at a time, if a row has fewer.
    private static let pieceValues = 1 << 14

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    public init(_ plan: FeaturePlan) throws(SignalError) {
        self.plan = plan
        bins = plan.columns
        patches = plan.configuration.patches
        normalizer =
            if plan.configuration.normalizesStackedRows(columns: plan.bins), let length = patches.length {
                Normalizer(constants: plan.configuration.normalize, columns: length * plan.columns)
            } else {
                nil
            }
        shape = patches.shape
        fill = Float(plan.configuration.rows.fill)
        fillsWithLeast = plan.configuration.rows.fillsWithLeast
        passedRows = shape?.length ?? max(1, Self.pieceValues / plan.columns)
        gathered = try FloatBuffer(count: (shape?.length ?? 0) * plan.columns)
        passed = try FloatBuffer(count: shape == nil && !plan.storesOtherRowCount ? 0 : passedRows * plan.columns)
    }

    /// Starts a clip, discarding an unfinished one.
    public func start() { (held, total, patchCount, least) = (0, 0, 0, .infinity) }

    /// Takes the next rows of the clip.
    ///
    /// - Parameters:
    ///   - rows: Whole rows of `FeaturePlan.columns` values, normalised, in pieces of any size.
    ///   - receive: Takes whole rows, or whole patches, which it may change; valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ rows: UnsafeMutableBufferPointer<Float>,
        receive: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        if fillsWithLeast { for value in rows { least = min(least, value) } }
        let isFirst = total == 0
        total += rows.count / bins
        guard shape != nil else { return try receive(rows) }
        guard let source = rows.baseAddress, !rows.isEmpty else { return }
        if isFirst { for _ in 0..<patches.lead { try add(source, receive) } }
        for row in 0..<rows.count / bins { try add(source + row * bins, receive) }
    }

    /// Passes on what is left, before `start` for the next clip.
    ///
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(
        receive: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        var missing = plan.lateRowCount(total) - total
        total += missing
        while missing > 0, let shape {
            fillRow(held, copiesLast: false)
            held += 1
            missing -= 1
            if held == shape.length { try pass(shape, receive) }
        }
        while missing > 0 {
            let count = min(missing, passedRows)
            // Anew each time, since receivers may change it.
            passed.pointer.update(repeating: fillsWithLeast ? least : fill, count: count * bins)
            try receive(UnsafeMutableBufferPointer(start: passed.pointer, count: count * bins))
            missing -= count
        }
        guard let shape else { return }
        while patchCount < patches.count(total) {
            while held < shape.length {
                fillRow(held, copiesLast: patches.rest == .repeat)
                held += 1
            }
            try pass(shape, receive)
        }
    }

    /// Completes a patch by a row: a copy of the one before, or of the value of added rows.
    private func fillRow(_ row: Int, copiesLast: Bool) {
        let target = gathered.pointer + row * bins
        if copiesLast, row > 0 {
            target.update(from: target - bins, count: bins)
        } else {
            target.update(repeating: fillsWithLeast ? least : fill, count: bins)
        }
    }

    private func add<Failure: Error>(
        _ row: UnsafePointer<Float>, _ receive: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard let shape else { return }
        (gathered.pointer + held * bins).update(from: row, count: bins)
        held += 1
        if held == shape.length { try pass(shape, receive) }
    }

    /// Passes on a whole patch, and keeps the rows that the next one shares.
    private func pass<Failure: Error>(
        _ shape: PatchShape, _ receive: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let values = shape.length * bins
        passed.pointer.update(from: gathered.pointer, count: values)
        held = shape.length - shape.hop
        gathered.pointer.update(from: gathered.pointer + shape.hop * bins, count: held * bins)
        patchCount += 1
        let patch = UnsafeMutableBufferPointer(start: passed.pointer, count: values)
        normalizer?.apply(patch)
        try receive(patch)
    }
}
