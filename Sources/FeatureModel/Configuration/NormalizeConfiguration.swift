/// How values are normalised.
public struct NormalizeConfiguration: Hashable, Sendable {
    /// The values that the statistics cover.
    public enum Scope: String, CaseIterable, Codable, Sendable {
        /// No normalisation.
        case none
        /// Each clip has its own statistics.
        case clip
        /// All clips share the statistics of the clips in the `fit` split.
        case dataset
        /// No statistics: values have the given `mean` and `std`.
        case constant
    }

    /// The formula. A spread of zero (a constant bin) counts as 1, to keep the result finite.
    public enum Method: String, CaseIterable, Codable, Sendable {
        /// (x − mean) / standard deviation; see `ddof` and `epsilon`
        case zscore
        /// (x − min) / (max − min): 0 … 1
        case minmax
        /// x − mean
        case mean
        /// 2 (x − min) / (max − min) − 1: −1 … 1
        case range
    }

    /// Whether each bin has statistics of its own.
    public enum Axis: String, CaseIterable, Codable, Sendable {
        /// They do.
        case bin
        /// All bins share them.
        case all
    }

    /// Where `epsilon` is added.
    public enum EpsilonPlacement: String, CaseIterable, Codable, Sendable {
        /// To the standard deviation: √v + ε
        case std
        /// To the variance: √(v + ε)
        case variance
    }

    /// The values that the statistics cover.
    public private(set) var scope = Scope.dataset
    /// The formula.
    public private(set) var method = Method.zscore
    /// Whether each bin has its own.
    public private(set) var axis = Axis.bin
    /// The split whose clips the dataset's statistics come from; without a split column, all clips.
    public private(set) var fit = "train"
    /// What is subtracted from the number of values when the variance is computed, 0 or 1: 0 gives the variance of the
    /// population. For `zscore` alone.
    public private(set) var ddof = 0
    /// Added to the spread, 0 or more. For `zscore` alone.
    public private(set) var epsilon = 0.0
    /// Where it is added.
    public private(set) var epsilonPlacement = EpsilonPlacement.std
    /// Subtracted from every value, for `constant` alone.
    public private(set) var mean: ColumnConstants?
    /// What every value is divided by, more than 0, for `constant` alone.
    public private(set) var std: ColumnConstants?

    /// What lower values are raised to once they are normalised; nil: none are. It cannot be undone.
    public private(set) var minimum: Double?

    /// The numbers that `mean` may have.
    package static let means = -1e30...1e30
    /// The numbers that `std` may have.
    package static let deviations = 1e-30...1e30

    /// The section with its defaults.
    public static let standard = NormalizeConfiguration()
    /// No normalisation.
    public static let none = NormalizeConfiguration(scope: .none)

    private init() {}

    /// Normalisation by statistics, of the population, without `epsilon`. Every combination is valid; `constant` has mean 0 and
    /// standard deviation 1 here, and is always a z-score.
    public init(
        scope: Scope = standard.scope, method: Method = standard.method, axis: Axis = standard.axis,
        fit: String = standard.fit
    ) {
        (self.scope, self.method, self.axis, self.fit) = (scope, method, axis, fit)
        if scope == .constant { (self.method, mean, std) = (.zscore, .all(0), .all(1)) }
    }

    /// Checks the values, which the properties of the same names describe.
    ///
    /// - Throws: `ConfigurationError` for a value out of range; for constants without the scope, or the scope without them; for
    ///   `ddof` or `epsilon` with another method than `zscore`.
    public init(
        scope: Scope = standard.scope, method: Method = standard.method, axis: Axis = standard.axis,
        fit: String = standard.fit, ddof: Int, epsilon: Double, epsilonPlacement: EpsilonPlacement = .std,
        mean: ColumnConstants? = nil, std: ColumnConstants? = nil, minimum: Double? = nil
    ) throws(ConfigurationError) {
        (self.scope, self.method, self.axis, self.fit) = (scope, method, axis, fit)
        (self.ddof, self.epsilon, self.epsilonPlacement) = (ddof, epsilon, epsilonPlacement)
        (self.mean, self.std, self.minimum) = (mean, std, minimum)
        try validate()
    }

    /// The same values for all clips: (x − mean) / std.
    ///
    /// - Throws: `ConfigurationError` for a mean that is not finite, or a standard deviation that is not a positive normal `Float`.
    public init(mean: Double, std: Double) throws(ConfigurationError) {
        try self.init(scope: .constant, ddof: 0, epsilon: 0, mean: .all(mean), std: .all(std))
    }

    /// The number of columns that have constants of their own; nil: all have the same, or statistics.
    public var constantColumns: Int? { mean?.count ?? std?.count }

    /// Mean and standard deviation that all columns have; nil: they differ, or the scope is another.
    public var constants: (mean: Double, std: Double)? {
        guard let mean = mean?.single, let std = std?.single else { return nil }
        return (mean, std)
    }
}

extension NormalizeConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "normalize", "The range of the values.", standard: standard,
        [
            ConfigurationKey(
                "scope", { $1(&$0.scope) }, .choice,
                "What the statistics are taken over; constant: the keys mean and std instead of statistics."),
            ConfigurationKey(
                "method", { $1(&$0.method) }, .choice,
                "zscore: (x - mean)/std; minmax: 0 to 1; mean: x - mean; range: -1 to 1."),
            ConfigurationKey(
                "axis", { $1(&$0.axis) }, .choice,
                "Whether each column has its own statistics (bin), or all columns have one set (all)."),
            ConfigurationKey(
                "fit", { $1(&$0.fit) }, .text("the name of a split"),
                "The split whose clips the dataset's statistics come from; empty, or without a split column, all clips."
            ),
            ConfigurationKey(
                "ddof", { $1(&$0.ddof) }, .whole(0...1),
                "For zscore: the variance is the sum of squares divided by n - ddof; 0: of the population."),
            ConfigurationKey(
                "epsilon", { $1(&$0.epsilon) }, .number(0...1e30, "a number from 0 to 1e30"),
                "For zscore: added to the standard deviation, or to the variance."),
            ConfigurationKey(
                "epsilon_in", { $1(&$0.epsilonPlacement) }, .choice,
                "Where epsilon is added: std: sqrt(variance) + epsilon; variance: sqrt(variance + epsilon)."),
            ConfigurationKey(
                "mean", { $1(&$0.mean) },
                ValueFormat.constants(means, "null, a number from -1e30 to 1e30, or a list of them").orNull,
                "For scope constant: what is subtracted from every value; a list: a number for each column of a row, or, with "
                    + "patches.stacked, of a stacked row. The command reads a list from a file: .npy, text, FunASR's am.mvn."
            ),
            ConfigurationKey(
                "std", { $1(&$0.std) },
                ValueFormat.constants(deviations, "null, a number from 1e-30 to 1e30, or a list of them").orNull,
                "For scope constant: what every value is then divided by; a list: a number for each column, as mean."),
            ConfigurationKey(
                "minimum", { $1(&$0.minimum) },
                ValueFormat.number(-1e30...1e30, "null or a number from -1e30 to 1e30").orNull, isAlwaysWritten: false,
                "What lower values are raised to after normalisation; null: they are not raised."),
        ])

    /// Constants for an error.
    private static func text(_ constants: ColumnConstants) -> String {
        constants.single?.shortText ?? "a list of \(constants.count ?? 0)"
    }

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        let isConstant = scope == .constant
        try require(
            minimum == nil || scope != .none, "normalize.minimum",
            found: "\((minimum ?? 0).shortText) with normalize.scope: none",
            expected: "null, or another normalize.scope")
        for (key, value) in [("mean", mean), ("std", std)] where isConstant != (value != nil) {
            throw .invalidValue(
                key: "normalize.\(key)",
                found: "\(value.map(Self.text) ?? "nothing") with normalize.scope: \(scope.rawValue)",
                expected: isConstant ? "a number, for this scope" : "null, or normalize.scope: constant")
        }
        if let means = mean?.count, let deviations = std?.count, means != deviations {
            throw .invalidValue(
                key: "normalize.std", found: "a list of \(deviations) with a normalize.mean of \(means)",
                expected: "as many numbers as normalize.mean has, or one for all columns")
        }
        try require(
            !isConstant || method == .zscore, "normalize.method",
            found: "\(method.rawValue) with normalize.scope: constant", expected: "zscore: (x - mean)/std")
        let isPlain = method != .zscore || isConstant
        for (key, isUsed) in [("ddof", ddof != 0), ("epsilon", epsilon != 0)] where isUsed && isPlain {
            throw .invalidValue(
                key: "normalize.\(key)",
                found: "it with normalize.\(isConstant ? "scope: constant" : "method: \(method.rawValue)")",
                expected: "0, or the zscore of a clip or of the dataset")
        }
    }
}
