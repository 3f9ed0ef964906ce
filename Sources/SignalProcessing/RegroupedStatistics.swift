import FeatureModel

/// Statistics of rows that come in pieces of any size, to the last bit those of an extraction.
///
/// Sums of floating-point numbers depend on how they are grouped. An extraction adds up what its stream hands over, sixteen
/// frames at a time; a live one hands over what is complete, and a feature file any part of a clip. So rows are gathered here
/// until they are the same pieces.
package final class RegroupedStatistics {
    private let accumulator: StatisticsAccumulator
    /// Numbers in a row.
    private let width: Int
    /// Rows by which slopes over time come later than their frames.
    private let lag: Int
    /// Rows that are missing of the first piece.
    private let phase: Int
    /// Rows that are added up.
    private var done = 0
    private var waiting: [Float] = []
    private var isEnding = false

    /// - Parameters:
    ///   - plan: What the rows are.
    ///   - isWhole: Whether the last steps are taken of all rows at once, so that the first piece is as long as the others.
    ///   - hasRests: Whether rows have rests (`RowRests`).
    /// - Throws: `SignalError.outOfMemory`.
    package init(_ plan: FeaturePlan, isWhole: Bool, hasRests: Bool = false) throws(SignalError) {
        width = plan.columns * (hasRests ? 2 : 1)
        // Where rows are dropped, added or resized, a stream hands over whole pieces.
        let rows = plan.configuration.rows
        let arranges = rows.count != nil || plan.configuration.addsRowsEarly || rows.isResized
        lag = arranges ? 0 : plan.deltaLag
        phase = isWhole ? 0 : lag
        accumulator = try StatisticsAccumulator(bins: plan.columns, hasRests: hasRests)
        waiting.reserveCapacity(width * FeatureStream.pieceRows)
    }

    /// Adds whole rows.
    package func add(_ rows: UnsafeBufferPointer<Float>) {
        var rest = rows[...]
        while !rest.isEmpty {
            let gathered = done + waiting.count / width
            let missing = FeatureStream.pieceRows - (gathered + phase) % FeatureStream.pieceRows
            let part = isEnding && lag > 0 ? rest : rest.prefix(missing * width)
            waiting.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if part.count == missing * width, !(isEnding && lag > 0) { addUp(rows: waiting.count / width) }
        }
    }

    /// The statistics of a clip's rows, as an extraction of the clip finds them.
    ///
    /// - Parameters:
    ///   - plan: What the rows are.
    ///   - count: Number of rows.
    ///   - isWhole, hasRests: As for `init`.
    ///   - rows: Hands over rows, in pieces of any size.
    /// - Throws: `SignalError.outOfMemory`, or what `rows` throws.
    package static func ofClip(
        _ plan: FeaturePlan, count: Int, isWhole: Bool, hasRests: Bool = false,
        rows: ((UnsafeBufferPointer<Float>) -> Void) throws -> Void
    ) throws -> BinStatistics? {
        let statistics = try RegroupedStatistics(plan, isWhole: isWhole, hasRests: hasRests)
        // The last rows, which wait for slopes over time, come at the end of the stream.
        var left = max(count - statistics.lag, 0) * statistics.width
        if left == 0 { statistics.end() }
        try rows { values in
            guard left > 0 else { return statistics.add(values) }
            let first = min(left, values.count)
            statistics.add(UnsafeBufferPointer(rebasing: values[..<first]))
            left -= first
            guard left == 0 else { return }
            statistics.end()
            statistics.add(UnsafeBufferPointer(rebasing: values[first...]))
        }
        return statistics.finish()
    }

    /// Marks the start of the rows that a stream hands over at its end.
    package func end() { isEnding = true }

    /// The statistics of all rows; nil where a value was infinite or not a number.
    package func finish() -> BinStatistics? {
        // With slopes, the frames that are left are a piece, and the rows that waited for them follow.
        let total = done + waiting.count / width
        while done < total {
            let next =
                (done + phase) / FeatureStream.pieceRows * FeatureStream.pieceRows + FeatureStream.pieceRows - phase
            if next <= total - lag {
                addUp(rows: next - done)
            } else if done < total - lag {
                addUp(rows: total - lag - done)
            } else {
                addUp(rows: min(FeatureStream.pieceRows, total - done))
            }
        }
        return accumulator.statistics()
    }

    private func addUp(rows: Int) {
        waiting.withUnsafeBufferPointer { accumulator.add(UnsafeBufferPointer(rebasing: $0[..<(rows * width)])) }
        waiting.removeFirst(rows * width)
        done += rows
    }
}
