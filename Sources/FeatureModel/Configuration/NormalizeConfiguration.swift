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
    }

    /// The formula. A spread of zero (a constant bin) counts as 1, to keep the result finite.
    public enum Method: String, CaseIterable, Codable, Sendable {
        /// (x − mean) / standard deviation (of the population: divided by n)
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
        /// Each bin has its own.
        case bin
        /// All bins share the same.
        case all
    }

    /// The values that the statistics cover.
    public private(set) var scope = Scope.dataset
    /// The formula.
    public private(set) var method = Method.zscore
    /// Whether each bin has its own.
    public private(set) var axis = Axis.bin
    /// The split whose clips the dataset's statistics come from; without a split column, all clips.
    public private(set) var fit = "train"

    /// The section with its defaults.
    public static let standard = NormalizeConfiguration()
    /// No normalisation.
    public static let none = NormalizeConfiguration(scope: .none)

    private init() {}

    /// Every combination is valid.
    public init(
        scope: Scope = standard.scope, method: Method = standard.method, axis: Axis = standard.axis,
        fit: String = standard.fit
    ) {
        (self.scope, self.method, self.axis, self.fit) = (scope, method, axis, fit)
    }
}

extension NormalizeConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "normalize", "The range of the values.", standard: standard,
        [
            ConfigurationKey("scope", { $1(&$0.scope) }, .choice, "What the statistics are taken over."),
            ConfigurationKey(
                "method", { $1(&$0.method) }, .choice,
                "zscore: (x - mean)/std; minmax: 0 to 1; mean: x - mean; range: -1 to 1."),
            ConfigurationKey(
                "axis", { $1(&$0.axis) }, .choice,
                "Whether each column has its own statistics (bin) or all the same (all)."),
            ConfigurationKey(
                "fit", { $1(&$0.fit) }, .text("the name of a split"),
                "The split whose clips the dataset's statistics come from; empty, or without a split column, all clips."
            ),
        ])
}
