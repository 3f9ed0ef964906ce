import FeatureModel

/// Normalises the rows of a clip by its own statistics, where they are to be, and resizes them.
///
/// Rows are measured as they come, and pushed once all are known; where none of that is needed, they are pushed at once.
final class ClipResizing {
    /// Numbers in a row of the stream.
    private let width: Int
    /// Whether they are values and their rests (`RowRests`).
    private let hasRests: Bool
    private let normalize: NormalizeConfiguration
    /// Nil: a clip's own statistics do not normalise it.
    private let statistics: StatisticsAccumulator?
    private let resizer: RowResizer
    /// Rows on their way.
    private let passed: FloatBuffer
    /// Nil: a value that was measured is not finite. Then none of the clip's is passed on as a number, and the clip fails.
    private var normalizer: Normalizer?
    /// The number of rows that were measured.
    private var count = 0

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        hasRests = plan.computesRests
        width = plan.computedBins * (hasRests ? 2 : 1)
        normalize = plan.configuration.normalize
        statistics =
            plan.configuration.normalizesBeforeResizing
            ? try StatisticsAccumulator(bins: plan.computedBins, hasRests: hasRests) : nil
        resizer = try RowResizer(plan)
        passed = try FloatBuffer(count: statistics == nil ? 0 : width * FeatureStream.pieceRows)
    }

    /// Starts a clip, whose rows are measured, or pushed at once.
    func reset() {
        count = 0
        statistics?.reset()
        resizer.start(rows: 0)
    }

    /// Counts rows, and adds up their values; in the pieces in which a stream hands them over, so that sums are those of any run.
    func measure(_ rows: UnsafeBufferPointer<Float>, width: Int) {
        count += rows.count / width
        statistics?.add(rows)
    }

    /// Starts to push the rows that were measured.
    func start() {
        resizer.start(rows: count)
        guard let statistics else { return }
        normalizer = statistics.statistics().map { Normalizer(normalize, statistics: $0) }
    }

    /// Takes rows, and passes on resized ones.
    ///
    /// - Parameters:
    ///   - rows: Whole rows, in pieces of any size.
    ///   - receive: Takes whole rows of `FeaturePlan.bins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    func push<Failure: Error>(
        _ rows: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard statistics != nil, var row = rows.baseAddress else { return try resizer.push(rows, receive: receive) }
        var left = rows.count / width
        while left > 0 {
            let number = min(left, FeatureStream.pieceRows)
            let pairs = UnsafeMutableBufferPointer(start: passed.pointer, count: number * width)
            pairs.baseAddress?.update(from: row, count: number * width)
            var piece = UnsafeMutableBufferPointer(rebasing: pairs[..<(number * width / (hasRests ? 2 : 1))])
            if let normalizer {
                piece = normalizer.apply(pairs, hasRests: hasRests)
            } else {
                piece.update(repeating: .nan)
            }
            try resizer.push(UnsafeBufferPointer(piece), receive: receive)
            row += number * width
            left -= number
        }
    }

    /// Passes on what is left.
    ///
    /// - Throws: What `receive` throws.
    func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        try resizer.finish(receive: receive)
    }
}
