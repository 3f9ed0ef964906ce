/// How a recording becomes one signal: its rate, its channels, its scale.
public struct AudioConfiguration: Hashable, Sendable {
    /// The rate in Hz that every clip is brought to; nil keeps the files' own rate, which then has to be the same in all.
    public let sampleRate: Int?
    /// Which channels are analysed; a manifest's `channel` column overrides it. Default: the mean of all.
    public let channels: ChannelSelection
    /// The range of the samples. Default: −1 … 1.
    public let scale: SampleScale

    /// The sample rates that are accepted, in Hz.
    public static let sampleRates = 1...10_000_000

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` where the rate lies outside `sampleRates`.
    public init(
        sampleRate: Int? = 16_000, channels: ChannelSelection = .mix, scale: SampleScale = .unit
    ) throws(ConfigurationError) {
        if let sampleRate, !Self.sampleRates.contains(sampleRate) {
            throw .invalidValue(
                key: "audio.sample_rate", found: "\(sampleRate)",
                expected: "null or \(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound) Hz")
        }
        self.sampleRate = sampleRate
        self.channels = channels
        self.scale = scale
    }
}

extension AudioConfiguration: Codable {
    private static let keys = ["sample_rate", "channels", "scale", "duration"]

    /// Reads the `audio` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        try section.requireDefault("duration", "null (a fixed duration is not supported by this version)")
        var sampleRate: Int? = 16_000
        if section.mentions("sample_rate") {
            let expected = "null or a whole number of Hz"
            sampleRate =
                section.has("sample_rate") ? try section.value("sample_rate", default: 0, expected: expected) : nil
        }
        try self.init(
            sampleRate: sampleRate,
            channels: section.value("channels", default: .mix, expected: "mix, first or a channel number from 0"),
            scale: section.choice("scale", default: .unit))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(sampleRate, forKey: AnyCodingKey("sample_rate"))
        try container.encode(channels, forKey: AnyCodingKey("channels"))
        try container.encode(scale, forKey: AnyCodingKey("scale"))
        try container.encodeNil(forKey: AnyCodingKey("duration"))
    }
}
