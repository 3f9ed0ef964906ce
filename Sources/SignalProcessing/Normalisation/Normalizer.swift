import FeatureModel

/// Brings rows to the range that `NormalizeConfiguration` names: y = (x − offset) · factor + base for each bin.
///
/// The offset is kept in two parts, so that the result is right to about two units in the last place of single
/// precision however large the offset is.
public struct Normalizer: Sendable {
    private let bins: Int
    private let high: [Float]
    private let low: [Float]
    private let factor: [Float]
    private let base: Float

    /// The formula of `method` with the figures of `statistics`; a spread of zero counts as 1.
    ///
    /// - Parameters:
    ///   - method: The formula.
    ///   - axis: Whether each bin has its own figures.
    ///   - statistics: Of the values before normalisation.
    public init(
        _ method: NormalizeConfiguration.Method, axis: NormalizeConfiguration.Axis, statistics: BinStatistics
    ) {
        let figures = axis == .all ? statistics.overAllBins() : statistics
        bins = figures.bins
        let range = zip(figures.minimum, figures.maximum).map { Double($1) - Double($0) }
        let (offsets, spreads): ([Double], [Double]) =
            switch method {
            case .zscore: (figures.mean, figures.standardDeviation)
            case .mean: (figures.mean, Array(repeating: 1, count: bins))
            case .minmax: (figures.minimum.map(Double.init), range)
            case .range: (figures.minimum.map(Double.init), range.map { $0 / 2 })
            }
        high = offsets.map { Float($0) }
        low = offsets.map { Float($0 - Double(Float($0))) }
        factor = spreads.map { Self.isSpread($0) ? Float(1 / $0) : 1 }
        base = method == .range ? -1 : 0
    }

    /// Whether a spread is large enough to divide by; else the bin counts as constant.
    private static func isSpread(_ spread: Double) -> Bool { spread > Double(Float.leastNormalMagnitude) }

    /// Normalises whole rows in place.
    ///
    /// - Precondition: The number of values is a multiple of the number of bins.
    public func apply(_ values: UnsafeMutableBufferPointer<Float>) {
        precondition(values.count % bins == 0, "normalisation needs whole rows")
        guard let start = values.baseAddress else { return }
        high.withUnsafeBufferPointer { high in
            low.withUnsafeBufferPointer { low in
                factor.withUnsafeBufferPointer { factor in
                    guard let high = high.baseAddress, let low = low.baseAddress, let factor = factor.baseAddress
                    else { return }
                    for row in 0..<values.count / bins {
                        let row = start + row * bins
                        var bin = 0
                        while bin + 8 <= bins {
                            let distance = (row.eight(at: bin) - high.eight(at: bin)) - low.eight(at: bin)
                            row.store(distance * factor.eight(at: bin) + base, at: bin)
                            bin += 8
                        }
                        while bin < bins {
                            row[bin] = ((row[bin] - high[bin]) - low[bin]) * factor[bin] + base
                            bin += 1
                        }
                    }
                }
            }
        }
    }
}
