import FeatureModel

/// Normalises rows as `NormalizeConfiguration` says: y = (x − offset) / spread + base for each bin.
///
/// The offset is kept in two parts, so that the result is exact to about two units in the last place of single
/// precision, however large the offset.
public struct Normalizer: Sendable {
    private let bins: Int
    private let high: [Float]
    private let low: [Float]
    private let spread: [Float]
    /// Offset and spread in double precision, for rows that are so.
    private let offset, exactSpread: [Double]
    private let base: Float
    /// What lower values are raised to at last; −∞: none are.
    private let minimum: Float

    /// The formula of a configuration by `statistics`; a spread of zero counts as 1.
    ///
    /// - Parameters:
    ///   - normalize: The formula.
    ///   - statistics: The statistics of the values before normalisation; for a `constant` scope, only their number of bins is used.
    ///   - channels: The channels whose columns are side by side; each is normalised as if it were alone.
    public init(_ normalize: NormalizeConfiguration, statistics: BinStatistics, channels: Int = 1) {
        let figures = NormalizationFigures(normalize, statistics: statistics, channels: channels)
        bins = figures.offset.count
        high = figures.offset.map { Float($0) }
        low = figures.offset.map { Float($0 - Double(Float($0))) }
        spread = figures.spread
        (offset, exactSpread) = (figures.offset, figures.exactSpread)
        base = figures.base
        // Constants of stacked rows come later, and so does what they are raised to.
        let isOfRows = normalize.constantColumns.map { statistics.bins % $0 == 0 } ?? true
        minimum = isOfRows ? normalize.minimum.map { Float($0) } ?? -.infinity : -.infinity
    }

    /// (x − mean) / std of rows of `columns` values; nil: the scope is not `constant`.
    ///
    /// - Precondition: Lists have a divisor of `columns` numbers.
    init?(constants normalize: NormalizeConfiguration, columns: Int) {
        guard let mean = normalize.mean?.values(columns), let std = normalize.std?.values(columns) else { return nil }
        bins = columns
        high = mean.map { Float($0) }
        low = mean.map { Float($0 - Double(Float($0))) }
        spread = std.map { Float($0) }
        (offset, exactSpread) = (mean, std)
        base = 0
        minimum = normalize.minimum.map { Float($0) } ?? -.infinity
    }

    /// Normalises whole rows, overwriting them. A value that overflows becomes the largest finite `Float`, not infinity.
    ///
    /// - Precondition: The number of values is a multiple of the number of bins.
    public func apply(_ values: UnsafeMutableBufferPointer<Float>) {
        precondition(values.count % bins == 0, "normalisation needs whole rows")
        guard let start = values.baseAddress else { return }
        Kernels.best.pointee.normalize(start, values.count / bins, bins, high, low, spread, base)
        guard minimum > -.infinity else { return }
        for index in 0..<values.count where start[index] < minimum { start[index] = minimum }
    }

    /// Normalises whole rows, whose values may be followed by their rests (`RowRests`), in their own memory.
    ///
    /// - Returns: The part of it that has the rows, in single precision and without rests.
    /// - Precondition: The number of values is a multiple of the number of bins.
    package func apply(
        _ rows: UnsafeMutableBufferPointer<Float>, hasRests: Bool
    ) -> UnsafeMutableBufferPointer<Float> {
        guard hasRests else {
            apply(rows)
            return rows
        }
        precondition(rows.count % (2 * bins) == 0, "normalisation needs whole rows")
        let count = rows.count / 2
        var bin = 0
        for index in 0..<count {
            rows[index] = normalized(Double(rows[2 * index]) + Double(rows[2 * index + 1]), bin: bin)
            bin = bin + 1 == bins ? 0 : bin + 1
        }
        return UnsafeMutableBufferPointer(rebasing: rows[..<count])
    }

    /// What becomes of the extremes of each bin: the minima, then the maxima.
    ///
    /// - Parameter hasRests: Whether the rows that the statistics are of have rests.
    package func extremes(_ statistics: BinStatistics, hasRests: Bool) -> [Float] {
        guard hasRests else {
            var values = statistics.minimum + statistics.maximum
            values.withUnsafeMutableBufferPointer { apply($0) }
            return values
        }
        return (statistics.exactMinimum + statistics.exactMaximum).enumerated().map {
            normalized($1, bin: $0 % bins)
        }
    }

    /// A value in double precision, normalised.
    private func normalized(_ value: Double, bin: Int) -> Float {
        let normalized = Float((value - offset[bin]) / exactSpread[bin] + Double(base))
        let limited = min(max(normalized, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
        return max(limited, minimum)
    }
}

/// What normalises the rows of a dataset's clips, by the scopes of `NormalizeConfiguration`.
package enum Normalization: Sendable {
    /// Nothing: values are not changed.
    case none
    /// The same for all clips.
    case shared(Normalizer)
    /// Each clip's own statistics.
    case clip(NormalizeConfiguration, channels: Int)

    /// - Parameters:
    ///   - configuration: Scope, method and axis.
    ///   - dataset: Statistics of the dataset, before normalisation.
    ///   - channels: The channels whose columns are side by side.
    package init(_ configuration: NormalizeConfiguration, dataset: BinStatistics, channels: Int = 1) {
        self =
            switch configuration.scope {
            case .none: .none
            case .dataset, .constant:
                .shared(Normalizer(configuration, statistics: dataset, channels: channels))
            case .clip: .clip(configuration, channels: channels)
            }
    }

    /// What normalises a clip with these statistics; nil: nothing.
    package func normalizer(for clip: BinStatistics) -> Normalizer? {
        switch self {
        case .none: nil
        case .shared(let normalizer): normalizer
        case .clip(let configuration, let channels):
            Normalizer(configuration, statistics: clip, channels: channels)
        }
    }
}
