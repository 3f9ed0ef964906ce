/// Offset and spread of each column: y = (x − offset) / spread + base.
public struct NormalizationFigures: Hashable, Sendable {
    /// Subtracted from each column.
    public let offset: [Double]
    /// The divisor, in single precision, as it is applied. 1 where the values have no spread (a constant column, or a single
    /// frame), to keep the result finite.
    public let spread: [Float]
    /// Added at last.
    public let base: Float

    /// The figures of a method.
    ///
    /// - Parameters:
    ///   - method: The formula.
    ///   - axis: Whether each column has figures of its own.
    ///   - statistics: Of the values before normalisation.
    public init(_ method: NormalizeConfiguration.Method, axis: NormalizeConfiguration.Axis, statistics: BinStatistics) {
        let figures = axis == .all ? statistics.overAllBins() : statistics
        let range = zip(figures.minimum, figures.maximum).map { Double($1) - Double($0) }
        let (offsets, spreads): ([Double], [Double]) =
            switch method {
            case .zscore: (figures.mean, figures.standardDeviation)
            case .mean: (figures.mean, Array(repeating: 1, count: figures.bins))
            case .minmax: (figures.minimum.map(Double.init), range)
            case .range: (figures.minimum.map(Double.init), range.map { $0 / 2 })
            }
        offset = offsets
        // The range of two Floats may exceed a Float; half of it does not.
        spread = spreads.map { $0 > Double(Float.leastNormalMagnitude) ? min(Float($0), .greatestFiniteMagnitude) : 1 }
        base = method == .range ? -1 : 0
    }

    /// The value before normalisation of a value in column `bin`.
    ///
    /// - Precondition: The column exists.
    public func undo(_ value: Float, bin: Int) -> Float {
        Float((Double(value) - Double(base)) * Double(spread[bin]) + offset[bin])
    }
}
