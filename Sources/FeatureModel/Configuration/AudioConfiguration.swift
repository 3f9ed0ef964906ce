/// How a recording becomes one signal: its rate, its channels, its scale.
public struct AudioConfiguration: Hashable, Sendable {
    /// The rate in Hz that every clip is brought to; nil keeps the files' own rate, which then has to be the same in all.
    public let sampleRate: Int?
    /// Which channels are analysed; a manifest's `channel` column overrides it. Default: the mean of all.
    public let channels: ChannelSelection
    /// The range of the samples. Default: −1 … 1.
    public let scale: SampleScale
    /// The length in s that every clip is brought to, by leaving out its end or by zeros behind it; nil: as it is. In the
    /// fixed layout shorter clips stay as they are: what they lack is marked in the file, not made up.
    public let duration: Double?

    /// The longest `duration`, in s: 1000 days.
    public static let longestDuration = 86_400_000.0

    /// The sample rates that are accepted, in Hz.
    public static let sampleRates = 1...10_000_000

    /// Checks and keeps the values.
    ///
    /// - Throws: `ConfigurationError` where the rate lies outside `sampleRates`, or the duration is not one.
    public init(
        sampleRate: Int? = 16_000, channels: ChannelSelection = .mix, scale: SampleScale = .unit,
        duration: Double? = nil
    ) throws(ConfigurationError) {
        if let sampleRate, !Self.sampleRates.contains(sampleRate) {
            throw .invalidValue(
                key: "audio.sample_rate", found: "\(sampleRate)",
                expected: "null or \(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound) Hz")
        }
        if let duration, !(duration > 0 && duration <= Self.longestDuration) {
            throw .invalidValue(
                key: "audio.duration", found: "\(duration)",
                expected: "null or more than 0, up to \(Int(Self.longestDuration)) s")
        }
        self.sampleRate = sampleRate
        self.channels = channels
        self.scale = scale
        self.duration = duration
    }
}

extension AudioConfiguration: Codable {
    static let keys = ["sample_rate", "channels", "scale", "duration"]

    /// Reads the `audio` section; a missing key has its default.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        var sampleRate: Int? = 16_000
        if section.mentions("sample_rate") {
            sampleRate = section.has("sample_rate") ? try Self.rate(section) : nil
        }
        try self.init(
            sampleRate: sampleRate,
            channels: section.value("channels", default: .mix, expected: "mix, first or a channel number from 0"),
            scale: section.choice("scale", default: .unit),
            duration: section.time("duration", expected: "null, a number of seconds, or a time such as '3 s'"))
    }

    /// A number of Hz, or a text such as `16k` or `44.1 kHz`.
    private static func rate(_ section: SectionReader) throws -> Int {
        guard let hertz = section.hertz("sample_rate"), let rate = Int(exactly: hertz) else {
            throw section.invalid("sample_rate", expected: "null or a whole number of Hz, such as 16000 or '16 kHz'")
        }
        return rate
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(sampleRate, forKey: AnyCodingKey("sample_rate"))
        try container.encode(channels, forKey: AnyCodingKey("channels"))
        try container.encode(scale, forKey: AnyCodingKey("scale"))
        try container.encode(duration, forKey: AnyCodingKey("duration"))
    }
}
