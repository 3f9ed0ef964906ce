import FeatureModel

/// Accumulates `BinStatistics` of rows as they are computed.
///
/// Sums run in double precision over the distance from the first row, which keeps the variance exact where the mean is
/// far from zero (Chan, Golub and LeVeque 1983, "Algorithms for computing the sample variance", shifted data).
public final class StatisticsAccumulator {
    private let bins: Int
    private var count = 0
    private let shift: AlignedBuffer
    private let minimum: AlignedBuffer
    private let maximum: AlignedBuffer
    private let sums: UnsafeMutablePointer<Double>
    private let squares: UnsafeMutablePointer<Double>

    /// Room for rows of `bins` values, at least 1.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    public init(bins: Int) throws(SignalError) {
        self.bins = bins
        shift = try AlignedBuffer(count: bins)
        minimum = try AlignedBuffer(count: bins)
        maximum = try AlignedBuffer(count: bins)
        sums = .allocate(capacity: bins)
        squares = .allocate(capacity: bins)
        sums.initialize(repeating: 0, count: bins)
        squares.initialize(repeating: 0, count: bins)
    }

    deinit {
        sums.deallocate()
        squares.deallocate()
    }

    /// Discards all rows.
    public func reset() {
        count = 0
        sums.update(repeating: 0, count: bins)
        squares.update(repeating: 0, count: bins)
    }

    /// Adds whole rows.
    ///
    /// - Precondition: The number of values is a multiple of the number of bins.
    public func add(_ values: UnsafeBufferPointer<Float>) {
        precondition(values.count % bins == 0, "statistics need whole rows")
        guard let source = values.baseAddress, !values.isEmpty else { return }
        if count == 0 {
            for buffer in [shift, minimum, maximum] { buffer.pointer.update(from: source, count: bins) }
        }
        let rows = values.count / bins
        var bin = bins / 8 * 8
        Kernels.best.pointee.statistics(
            source, rows, bins, bin, shift.pointer, sums, squares, minimum.pointer, maximum.pointer)
        while bin < bins {
            addOne(source + bin, rows: rows, bin: bin)
            bin += 1
        }
        count += rows
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
            let offset = sums[bin] / number
            guard squares[bin].isFinite, offset.isFinite else { return nil }
            mean.append(Double(shift.pointer[bin]) + offset)
            squaredDistance.append(max(0, squares[bin] - sums[bin] * offset))
        }
        return BinStatistics(
            count: count, mean: mean, squaredDistance: squaredDistance,
            minimum: Array(UnsafeBufferPointer(start: minimum.pointer, count: bins)),
            maximum: Array(UnsafeBufferPointer(start: maximum.pointer, count: bins)))
    }

    private func addOne(_ source: UnsafePointer<Float>, rows: Int, bin: Int) {
        let shift = Double(self.shift.pointer[bin])
        for row in 0..<rows {
            let value = source[row * bins]
            let distance = Double(value) - shift
            sums[bin] += distance
            squares[bin] += distance * distance
            if value < minimum.pointer[bin] { minimum.pointer[bin] = value }
            if value > maximum.pointer[bin] { maximum.pointer[bin] = value }
        }
    }
}
