import FeatureModel

/// Accumulates `BinStatistics` of rows as they are computed.
///
/// Sums run in double precision over the distance from the first row, which keeps the variance exact where the mean is
/// far from zero (Chan, Golub and LeVeque 1983, "Algorithms for computing the sample variance", shifted data).
public final class StatisticsAccumulator {
    private let bins: Int
    private var count = 0
    private let shift: FloatBuffer
    private let minimum: FloatBuffer
    private let maximum: FloatBuffer
    private let sums: DoubleBuffer
    private let squares: DoubleBuffer
    /// First row, minimum and maximum of rows with rests, and space for a row; nil: rows have no rests.
    private let exact: (shift: DoubleBuffer, minimum: DoubleBuffer, maximum: DoubleBuffer, row: DoubleBuffer)?

    /// An empty accumulator for rows of `bins` values, at least 1.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    public convenience init(bins: Int) throws(SignalError) { try self.init(bins: bins, hasRests: false) }

    /// - Parameter hasRests: Whether the values of rows are followed by their rests (`RowRests`). The sums depend on no pieces then.
    /// - Throws: `SignalError.outOfMemory`.
    package init(bins: Int, hasRests: Bool) throws(SignalError) {
        self.bins = bins
        exact =
            hasRests
            ? (
                try DoubleBuffer(count: bins), try DoubleBuffer(count: bins), try DoubleBuffer(count: bins),
                try DoubleBuffer(count: bins)
            ) : nil
        shift = try FloatBuffer(count: bins)
        minimum = try FloatBuffer(count: bins)
        maximum = try FloatBuffer(count: bins)
        sums = try DoubleBuffer(count: bins)
        squares = try DoubleBuffer(count: bins)
    }

    /// Discards all rows.
    public func reset() {
        count = 0
        for buffer in [sums, squares] { buffer.pointer.update(repeating: 0, count: bins) }
    }

    /// Adds whole rows.
    ///
    /// - Precondition: The number of values is a multiple of the number of bins.
    public func add(_ values: UnsafeBufferPointer<Float>) {
        if exact != nil { return addExactly(values) }
        precondition(values.count % bins == 0, "statistics need whole rows")
        guard let source = values.baseAddress, !values.isEmpty else { return }
        if count == 0 {
            for buffer in [shift, minimum, maximum] { buffer.pointer.update(from: source, count: bins) }
        }
        let rows = values.count / bins
        Kernels.best.pointee.statistics(
            source, rows, bins, shift.pointer, sums.pointer, squares.pointer, minimum.pointer, maximum.pointer)
        count += rows
    }

    private func addExactly(_ pairs: UnsafeBufferPointer<Float>) {
        precondition(pairs.count % (2 * bins) == 0, "statistics need whole rows")
        guard let exact, let source = pairs.baseAddress else { return }
        for start in stride(from: 0, to: pairs.count, by: 2 * bins) {
            RowRests.join(source + start, count: bins, into: exact.row.pointer)
            if count == 0 {
                for buffer in [exact.shift, exact.minimum, exact.maximum] {
                    buffer.pointer.update(from: exact.row.pointer, count: bins)
                }
            }
            for bin in 0..<bins {
                let value = exact.row.pointer[bin]
                let distance = value - exact.shift.pointer[bin]
                sums.pointer[bin] += distance
                squares.pointer[bin] += distance * distance
                if value < exact.minimum.pointer[bin] { exact.minimum.pointer[bin] = value }
                if value > exact.maximum.pointer[bin] { exact.maximum.pointer[bin] = value }
            }
            count += 1
        }
    }

    /// The statistics of all rows since `reset`; nil where a value was infinite or NaN.
    public func statistics() -> BinStatistics? {
        guard count > 0 else { return BinStatistics(bins: bins) }
        let number = Double(count)
        var mean: [Double] = []
        var squaredDistance: [Double] = []
        mean.reserveCapacity(bins)
        squaredDistance.reserveCapacity(bins)
        for bin in 0..<bins {
            let (sum, square) = (sums.pointer[bin], squares.pointer[bin])
            let offset = sum / number
            guard square.isFinite, offset.isFinite else { return nil }
            mean.append((exact?.shift.pointer[bin] ?? Double(shift.pointer[bin])) + offset)
            squaredDistance.append(max(0, square - sum * offset))
        }
        if let exact {
            return BinStatistics(
                count: count, mean: mean, squaredDistance: squaredDistance,
                exactMinimum: Array(UnsafeBufferPointer(start: exact.minimum.pointer, count: bins)),
                exactMaximum: Array(UnsafeBufferPointer(start: exact.maximum.pointer, count: bins)))
        }
        return BinStatistics(
            count: count, mean: mean, squaredDistance: squaredDistance,
            minimum: Array(UnsafeBufferPointer(start: minimum.pointer, count: bins)),
            maximum: Array(UnsafeBufferPointer(start: maximum.pointer, count: bins)))
    }
}
