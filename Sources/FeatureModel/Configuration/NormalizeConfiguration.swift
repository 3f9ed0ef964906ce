/// How values are brought to a common range.
public struct NormalizeConfiguration: Hashable, Sendable {
    /// What the statistics are taken over.
    public enum Scope: String, CaseIterable, Codable, Sendable {
        /// Values stay as they are.
        case none
        /// Each clip by its own statistics.
        case clip
        /// All clips by the statistics of the clips in the `fit` split.
        case dataset
    }

    /// The formula. A spread of zero (a constant bin) counts as 1, so that the result is finite.
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
        /// Each bin by its own.
        case bin
        /// All bins by the same.
        case all
    }

    /// What the statistics are taken over.
    public let scope: Scope
    /// The formula.
    public let method: Method
    /// Whether each bin has its own.
    public let axis: Axis
    /// The split whose clips the dataset's statistics come from; without a split column, all clips.
    public let fit: String

    /// Values stay as they are.
    public static let none = NormalizeConfiguration(scope: .none)

    /// Keeps the values; every combination is valid.
    public init(scope: Scope = .dataset, method: Method = .zscore, axis: Axis = .bin, fit: String = "train") {
        self.scope = scope
        self.method = method
        self.axis = axis
        self.fit = fit
    }
}

extension NormalizeConfiguration: Codable {
    static let keys = ["scope", "method", "axis", "fit"]

    /// Reads the `normalize` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        self.init(
            scope: try section.choice("scope", default: .dataset),
            method: try section.choice("method", default: .zscore),
            axis: try section.choice("axis", default: .bin),
            fit: try section.value("fit", default: "train", expected: "the name of a split"))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(scope, forKey: AnyCodingKey("scope"))
        try container.encode(method, forKey: AnyCodingKey("method"))
        try container.encode(axis, forKey: AnyCodingKey("axis"))
        try container.encode(fit, forKey: AnyCodingKey("fit"))
    }
}
