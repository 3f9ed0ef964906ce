/// Offset and spread of each column: y = (x − offset) / spread + base.
public struct NormalizationFigures: Hashable, Sendable {
    /// Subtracted from each column.
    public let offset: [Double]
    /// The divisor, in single precision, as it is applied. 1 where the values have no spread (a constant column, or a single
    /// frame), to keep the result finite.
    public let spread: [Float]
    /// The divisor in double precision, as it is applied to rows that are in double precision before a clip's normalisation.
    public let exactSpread: [Double]
    /// Added at last.
    public let base: Float

    /// The numbers that normalise with a configuration.
    ///
    /// - Parameters:
    ///   - normalize: The formula; its scope matters only where that is `constant`.
    ///   - statistics: The statistics of the values before normalisation.
    ///   - channels: The channels whose columns are side by side; each is normalised as if it were alone.
    public init(_ normalize: NormalizeConfiguration, statistics: BinStatistics, channels: Int = 1) {
        let method = normalize.method
        if let mean = normalize.mean, let std = normalize.std {
            let columns = statistics.bins
            // Constants of stacked rows are applied to these.
            let isOfRows = normalize.constantColumns.map { columns % $0 == 0 } ?? true
            offset = isOfRows ? mean.values(columns) : Array(repeating: 0, count: columns)
            exactSpread = isOfRows ? std.values(columns) : Array(repeating: 1, count: columns)
            spread = exactSpread.map { Float($0) }
            base = 0
            return
        }
        let pooled = normalize.axis == .all ? statistics.overAllBins(channels: channels) : statistics
        let range = zip(pooled.exactMinimum, pooled.exactMaximum).map { $1 - $0 }
        let (offsets, spreads): ([Double], [Double]) =
            switch method {
            case .zscore:
                (
                    pooled.mean,
                    normalize.spreads(
                        pooled.standardDeviation,
                        values: statistics.count.multipliedOrMaximum(
                            by: normalize.axis == .all ? statistics.bins / channels : 1))
                )
            case .mean: (pooled.mean, Array(repeating: 1, count: pooled.bins))
            case .minmax: (pooled.exactMinimum, range)
            case .range: (pooled.exactMinimum, range.map { $0 / 2 })
            }
        offset = offsets
        // The range of two Floats may exceed a Float; half of it does not.
        exactSpread = spreads.map {
            $0 > Double(Float.leastNormalMagnitude) ? min($0, Double(Float.greatestFiniteMagnitude)) : 1
        }
        spread = exactSpread.map { Float($0) }
        base = method == .range ? -1 : 0
    }

    /// The value before normalisation of a value in column `bin`.
    ///
    /// - Precondition: The column exists.
    public func undo(_ value: Float, bin: Int) -> Float {
        Float((Double(value) - Double(base)) * Double(spread[bin]) + offset[bin])
    }
}

extension Int {
    /// The product, or the greatest number where it is greater.
    fileprivate func multipliedOrMaximum(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

extension NormalizeConfiguration {
    /// The divisors of `zscore`: with s the standard deviation of the population of n values, s √(n / (n − ddof)) + ε, or
    /// √(s² n / (n − ddof) + ε).
    ///
    /// A single value has no spread, whatever `ddof`.
    fileprivate func spreads(_ deviations: [Double], values: Int) -> [Double] {
        guard ddof != 0 || epsilon != 0 else { return deviations }
        let correction = values > ddof ? Double(values) / Double(values - ddof) : 0
        return switch epsilonPlacement {
        case .std: deviations.map { $0 * correction.squareRoot() + epsilon }
        case .variance: deviations.map { ($0 * $0 * correction + epsilon).squareRoot() }
        }
    }
}
