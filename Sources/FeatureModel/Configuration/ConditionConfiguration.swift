/// What is done to the whole signal before it is cut into frames, in this order.
public struct ConditionConfiguration: Hashable, Sendable {
    /// Whether the mean of the whole clip is taken away. It has to be known first: clips are decoded twice.
    public let removeDC: Bool
    /// An equaliser; nil: none.
    public let dctFilter: DCTFilterConfiguration?
    /// a in x[n] − a · x[n − 1], 0 (none) to 1; the clip's first sample stays as it is.
    public let preEmphasis: Double

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` for a coefficient out of range.
    public init(
        removeDC: Bool = false, dctFilter: DCTFilterConfiguration? = nil, preEmphasis: Double = 0
    ) throws(ConfigurationError) {
        guard (0...1).contains(preEmphasis) else {
            throw .invalidValue(
                key: "condition.pre_emphasis", found: "\(preEmphasis)", expected: "a number from 0 (none) to 1")
        }
        self.init(checked: removeDC, dctFilter, preEmphasis)
    }

    private init(checked removeDC: Bool, _ dctFilter: DCTFilterConfiguration?, _ preEmphasis: Double) {
        self.removeDC = removeDC
        self.dctFilter = dctFilter
        self.preEmphasis = preEmphasis
    }

    /// The signal as it is.
    public static let none = ConditionConfiguration(checked: false, nil, 0)
}

extension ConditionConfiguration: Codable {
    static let keys = ["remove_dc", "dct_filter", "pre_emphasis"]

    /// Reads the `condition` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        try self.init(
            removeDC: section.flag("remove_dc", default: false), dctFilter: section.section("dct_filter"),
            preEmphasis: section.value("pre_emphasis", default: 0, expected: "a number from 0 (none) to 1"))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(removeDC, forKey: AnyCodingKey("remove_dc"))
        try container.encode(dctFilter, forKey: AnyCodingKey("dct_filter"))
        try container.encode(preEmphasis, forKey: AnyCodingKey("pre_emphasis"))
    }
}
