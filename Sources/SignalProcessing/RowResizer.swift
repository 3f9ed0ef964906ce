import FeatureModel

/// Resizes the rows of a clip over time, and their columns: in double precision, rounded once.
///
/// Of the rows that come, only the last one is kept. Nothing is allocated after `init`.
final class RowResizer {
    private let bins: Int
    private let resizedBins: Int
    private let configuration: RowsConfiguration
    /// What each new column is made of; empty: columns stay as they are.
    private let columns: [ResizedAxis.Position]
    /// The row before the one that has come.
    private let previous: FloatBuffer
    /// A new row with the old columns.
    private let mixed: DoubleBuffer
    /// New rows that are not passed on.
    private let resized: FloatBuffer
    private var filled = 0
    private var rows: ResizedAxis
    /// The number of rows that have come.
    private var count = 0
    /// The number of rows that were made.
    private var made = 0
    /// What the next new row is made of.
    private var next = ResizedAxis.Position(first: 0, share: 0)

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        configuration = plan.configuration.rows
        (bins, resizedBins) = (plan.computedBins, plan.bins)
        let axis = ResizedAxis(source: bins, target: resizedBins, method: configuration.resizeMethod)
        columns = configuration.resizeBins == nil ? [] : (0..<resizedBins).map(axis.position)
        previous = try FloatBuffer(count: bins)
        mixed = try DoubleBuffer(count: bins)
        resized = try FloatBuffer(count: resizedBins * FeatureStream.pieceRows)
        rows = ResizedAxis(source: 0, target: 0, method: configuration.resizeMethod)
    }

    /// Starts a clip.
    ///
    /// - Parameter rows: The number of rows that will come; without `rows.resize`, not needed.
    func start(rows: Int) {
        (filled, count, made) = (0, 0, 0)
        self.rows = ResizedAxis(
            source: rows, target: configuration.resized(rows), method: configuration.resizeMethod)
        if configuration.resize != nil, self.rows.target > 0 { next = self.rows.position(0) }
    }

    /// Takes rows, and passes on the new ones that they complete, 16 at a time.
    ///
    /// - Parameters:
    ///   - values: Whole rows, in pieces of any size.
    ///   - receive: Takes whole rows of `FeaturePlan.bins` values, valid during the call.
    /// - Throws: What `receive` throws.
    func push<Failure: Error>(
        _ values: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard var row = values.baseAddress else { return }
        for _ in 0..<values.count / bins {
            if configuration.resize == nil {
                try make(row, row, share: 0, receive)
            } else {
                while made < rows.target, next.first + (next.share > 0 ? 1 : 0) <= count {
                    // It is made of the last two rows that have come: of earlier ones, it would have been made before.
                    let first = next.first < count ? UnsafePointer(previous.pointer) : row
                    try make(first, row, share: next.share, receive)
                    made += 1
                    if made < rows.target { next = rows.position(made) }
                }
                previous.pointer.update(from: row, count: bins)
            }
            count += 1
            row += bins
        }
    }

    /// Passes on what is left.
    ///
    /// - Throws: What `receive` throws.
    func finish<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        guard filled > 0 else { return }
        let values = filled * resizedBins
        filled = 0
        try receive(UnsafeBufferPointer(start: resized.pointer, count: values))
    }

    /// Makes a new row between two.
    private func make<Failure: Error>(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, share: Double,
        _ receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        let (mixed, target) = (mixed.pointer, resized.pointer + filled * resizedBins)
        let rest = 1 - share
        if share == 0 {
            for bin in 0..<bins { mixed[bin] = Double(first[bin]) }
        } else {
            for bin in 0..<bins { mixed[bin] = Double(first[bin]) * rest + Double(second[bin]) * share }
        }
        if columns.isEmpty {
            for bin in 0..<bins { target[bin] = Float(mixed[bin]) }
        } else {
            for (bin, column) in columns.enumerated() {
                let value = mixed[column.first]
                target[bin] = Float(
                    column.share == 0
                        ? value : value * (1 - column.share) + mixed[column.first + 1] * column.share)
            }
        }
        filled += 1
        if filled == FeatureStream.pieceRows { try finish(receive: receive) }
    }
}
