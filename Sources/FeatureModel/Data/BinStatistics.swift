/// Count, mean, spread and extremes of each bin over a number of frames.
///
/// Merging follows Chan, Golub and LeVeque (1979), "Updating formulae and a pairwise algorithm for computing sample
/// variances": the result depends on the order of merging only in its last digits; clips are always merged
/// in the manifest's order.
public struct BinStatistics: Hashable, Sendable {
    /// Number of frames.
    public private(set) var count: Int
    /// Mean of each bin.
    public private(set) var mean: [Double]
    /// Sum of the squared distances from the mean, for each bin.
    public private(set) var squaredDistance: [Double]
    /// Minimum of each bin, in double precision as rows are before a clip's normalisation; 0 where there are no frames.
    public private(set) var exactMinimum: [Double]
    /// Maximum of each bin, likewise; 0 where there are no frames.
    public private(set) var exactMaximum: [Double]
    /// Standard deviations as given, which the squared distances may miss in the last digit; nil: none were given.
    private var givenDeviation: [Double]?

    /// Minimum of each bin, rounded to single precision; 0 where there are no frames.
    public var minimum: [Float] { exactMinimum.map { Float($0) } }
    /// Maximum of each bin, likewise; 0 where there are no frames.
    public var maximum: [Float] { exactMaximum.map { Float($0) } }

    /// Number of bins.
    public var bins: Int { mean.count }

    /// Standard deviation of the population (divided by the count) of each bin; 0 where there are no frames.
    public var standardDeviation: [Double] {
        if let givenDeviation { return givenDeviation }
        guard count > 0 else { return squaredDistance }
        return squaredDistance.map { ($0 / Double(count)).squareRoot() }
    }

    /// Statistics of no frames.
    public init(bins: Int) {
        count = 0
        mean = Array(repeating: 0, count: bins)
        squaredDistance = mean
        exactMinimum = mean
        exactMaximum = mean
    }

    /// Statistics from their values.
    ///
    /// - Precondition: all arrays have the same length.
    public init(count: Int, mean: [Double], squaredDistance: [Double], minimum: [Float], maximum: [Float]) {
        self.init(
            count: count, mean: mean, squaredDistance: squaredDistance, exactMinimum: minimum.map(Double.init),
            exactMaximum: maximum.map(Double.init))
    }

    /// Statistics from their values, of rows in double precision.
    ///
    /// - Precondition: all arrays have the same length.
    public init(
        count: Int, mean: [Double], squaredDistance: [Double], exactMinimum: [Double], exactMaximum: [Double]
    ) {
        precondition(
            [squaredDistance.count, exactMinimum.count, exactMaximum.count].allSatisfy { $0 == mean.count },
            "statistics need the same number of bins throughout")
        self.count = count
        self.mean = mean
        self.squaredDistance = squaredDistance
        self.exactMinimum = exactMinimum
        self.exactMaximum = exactMaximum
    }

    /// Statistics from standard deviations, which stay the same to the last bit until more frames are merged.
    ///
    /// - Precondition: all arrays have the same length.
    public init(count: Int, mean: [Double], standardDeviation: [Double], minimum: [Float], maximum: [Float]) {
        self.init(
            count: count, mean: mean, standardDeviation: standardDeviation, exactMinimum: minimum.map(Double.init),
            exactMaximum: maximum.map(Double.init))
    }

    /// The same, of rows in double precision.
    ///
    /// - Precondition: all arrays have the same length.
    public init(
        count: Int, mean: [Double], standardDeviation: [Double], exactMinimum: [Double], exactMaximum: [Double]
    ) {
        self.init(
            count: count, mean: mean, squaredDistance: standardDeviation.map { $0 * $0 * Double(count) },
            exactMinimum: exactMinimum, exactMaximum: exactMaximum)
        givenDeviation = standardDeviation
    }

    /// Adds the frames that `other` describes.
    ///
    /// - Precondition: `other` has the same number of bins.
    public mutating func merge(_ other: BinStatistics) {
        precondition(bins == other.bins, "statistics of different numbers of bins")
        guard other.count > 0 else { return }
        guard count > 0 else {
            self = other
            return
        }
        givenDeviation = nil
        let total = Double(count) + Double(other.count)
        let share = Double(other.count) / total
        for bin in mean.indices {
            let delta = other.mean[bin] - mean[bin]
            mean[bin] += delta * share
            squaredDistance[bin] += other.squaredDistance[bin] + delta * delta * Double(count) * share
            exactMinimum[bin] = min(exactMinimum[bin], other.exactMinimum[bin])
            exactMaximum[bin] = max(exactMaximum[bin], other.exactMaximum[bin])
        }
        // The count may be what a file or a caller says.
        let (sum, overflow) = count.addingReportingOverflow(other.count)
        count = overflow ? .max : sum
    }

    /// The statistics over all bins of a channel together, repeated for each of its bins.
    ///
    /// - Parameter channels: The channels whose bins are side by side, a divisor of `bins`.
    public func overAllBins(channels: Int) -> BinStatistics {
        guard channels > 1 else { return overAllBins() }
        let size = bins / channels
        let parts = (0..<channels).map { channel in
            let own = channel * size..<(channel + 1) * size
            return BinStatistics(
                count: count, mean: Array(mean[own]), squaredDistance: Array(squaredDistance[own]),
                exactMinimum: Array(exactMinimum[own]), exactMaximum: Array(exactMaximum[own])
            ).overAllBins()
        }
        return BinStatistics(
            count: count, mean: parts.flatMap(\.mean), squaredDistance: parts.flatMap(\.squaredDistance),
            exactMinimum: parts.flatMap(\.exactMinimum), exactMaximum: parts.flatMap(\.exactMaximum))
    }

    /// The statistics over all bins together, repeated for each bin.
    public func overAllBins() -> BinStatistics {
        var whole = BinStatistics(bins: 1)
        for bin in mean.indices {
            whole.merge(
                BinStatistics(
                    count: count, mean: [mean[bin]], squaredDistance: [squaredDistance[bin]],
                    exactMinimum: [exactMinimum[bin]], exactMaximum: [exactMaximum[bin]]))
        }
        func repeated<Value>(_ values: [Value]) -> [Value] { mean.flatMap { _ in values } }
        // The count is still that of frames; the scaled sum keeps the standard deviation of all values.
        return BinStatistics(
            count: count, mean: repeated(whole.mean),
            squaredDistance: repeated(whole.squaredDistance.map { $0 / Double(max(bins, 1)) }),
            exactMinimum: repeated(whole.exactMinimum), exactMaximum: repeated(whole.exactMaximum))
    }
}
