/// What is done to the signal before it is cut into frames. This version leaves it as it is.
public struct ConditionConfiguration: Hashable, Sendable {
    /// No conditioning.
    public init() {}
}

extension ConditionConfiguration: Codable {
    /// Reads the `condition` section, whose one key has to be null.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: ["dct_filter"])
        try section.requireDefault("dct_filter", "null (a filter is not supported by this version)")
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encodeNil(forKey: AnyCodingKey("dct_filter"))
    }
}
