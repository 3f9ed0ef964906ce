import FeatureModel
import SignalProcessing

/// Statistics of rows that come in pieces of any size, to the last bit those of an extraction.
///
/// Sums of floating-point numbers depend on how they are grouped. An extraction adds up what its stream hands over, sixteen
/// frames at a time; a live one hands over what is complete. So rows are gathered here until they are the same pieces.
final class LiveStatistics {
    private let accumulator: StatisticsAccumulator
    private let bins: Int
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
    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan, isWhole: Bool) throws(SignalError) {
        bins = plan.bins
        lag = plan.deltaLag
        phase = isWhole ? 0 : lag
        accumulator = try StatisticsAccumulator(bins: bins)
        waiting.reserveCapacity(bins * FeatureStream.pieceRows)
    }

    /// Adds whole rows.
    func add(_ rows: UnsafeBufferPointer<Float>) {
        var rest = rows[...]
        while !rest.isEmpty {
            let gathered = done + waiting.count / bins
            let missing = FeatureStream.pieceRows - (gathered + phase) % FeatureStream.pieceRows
            let part = isEnding && lag > 0 ? rest : rest.prefix(missing * bins)
            waiting.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            if part.count == missing * bins, !(isEnding && lag > 0) { addUp(rows: waiting.count / bins) }
        }
    }

    /// Marks the start of the rows that a stream hands over at its end.
    func end() { isEnding = true }

    /// The statistics of all rows; nil where a value was infinite or not a number.
    func finish() -> BinStatistics? {
        // With slopes, the frames that are left are a piece, and the rows that waited for them follow.
        let total = done + waiting.count / bins
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
        waiting.withUnsafeBufferPointer { accumulator.add(UnsafeBufferPointer(rebasing: $0[..<(rows * bins)])) }
        waiting.removeFirst(rows * bins)
        done += rows
    }
}
