/// How a recording becomes one signal: its rate, its channels, its scale.
public struct AudioConfiguration: Hashable, Sendable {
    /// The rate in Hz that every clip is brought to; nil: the rate of the files, which all have to share.
    public private(set) var sampleRate: Int? = 16_000
    /// Which channels are analysed; a manifest's `channel` column overrides it.
    public private(set) var channels = ChannelSelection.mix
    /// The range of the samples.
    public private(set) var scale = SampleScale.unit
    /// The length in s that every clip is cropped or padded with zeros to; nil: its own. In the fixed layout shorter clips are
    /// not padded: their missing frames are marked in the file.
    public private(set) var duration: Double?

    /// The longest `duration`, in s: 1000 days.
    public static let maximumDuration = 86_400_000.0

    /// The accepted sample rates, in Hz.
    public static let sampleRates = 1...10_000_000

    /// The section with its defaults.
    public static let standard = AudioConfiguration()

    private init() {}

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for a rate outside `sampleRates` or a duration out of range.
    public init(
        sampleRate: Int? = standard.sampleRate, channels: ChannelSelection = standard.channels,
        scale: SampleScale = standard.scale, duration: Double? = standard.duration
    ) throws(ConfigurationError) {
        (self.sampleRate, self.channels, self.scale, self.duration) = (sampleRate, channels, scale, duration)
        try validate()
    }
}

extension AudioConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "audio", "From a recording to one signal.", standard: standard,
        [
            ConfigurationKey(
                "sample_rate", { $1(&$0.sampleRate) }, .sampleRate, unit: "Hz",
                "Rate that every clip is brought to; null: the files' own, which has to be the same in all."),
            ConfigurationKey(
                "channels", { $1(&$0.channels) }, .channels,
                "Which channels are analysed: the mean of all, the first, or one by its number from 0."),
            ConfigurationKey(
                "scale", { $1(&$0.scale) }, .choice, "Range of the samples: unit is -1 to 1, int16 -32768 to 32767."),
            ConfigurationKey(
                "duration", { $1(&$0.duration) },
                ValueFormat.time(
                    0...maximumDuration, isOpenBelow: true, "null or more than 0, up to \(Int(maximumDuration)) s",
                    readable: "null, a number of seconds, or a time such as '3 s'"
                ).orNull, unit: "s",
                "Length that every clip is brought to, by cutting off its end or by appending zeros; with store.layout "
                    + "fixed, shorter clips stay as they are."),
        ])
}

extension ValueFormat where Value == Int? {
    /// A sample rate, or null.
    fileprivate static var sampleRate: Self {
        let rates = AudioConfiguration.sampleRates
        return ValueFormat<Int>(
            .either([.whole(rates), .quantity(.frequency)]), "null or \(rates.lowerBound) to \(rates.upperBound) Hz",
            readable: "null or a whole number of Hz, such as 16000 or '16 kHz'",
            read: { value, _ throws(ConfigurationError) in
                (value.number ?? value.text.flatMap(ValueFormat<Double>.hertz)).flatMap { Int(exactly: $0) }
            }, write: { .whole($0) }, isAllowed: { rates.contains($0) }
        ).orNull
    }
}

/// Which channels of a recording become the one signal that is analysed.
public enum ChannelSelection: Hashable, Sendable {
    /// The mean of all channels.
    case mix
    /// The first channel.
    case first
    /// One channel, counted from 0.
    case number(Int)
}

extension ValueFormat where Value == ChannelSelection {
    /// `mix`, `first` or a channel number.
    fileprivate static var channels: Self {
        let numbers = 0...1023
        return Self(
            .either([.names(["mix", "first"]), .whole(numbers)]), "mix, first or a channel number from 0",
            read: { value, _ in
                if let number = value.whole, numbers.contains(number) { return .number(number) }
                return value.text == "mix" ? .mix : value.text == "first" ? .first : nil
            },
            write: { channels in
                switch channels {
                case .mix: .text("mix")
                case .first: .text("first")
                case .number(let number): .whole(number)
                }
            })
    }
}

/// The range that a full-scale recording covers.
public enum SampleScale: String, CaseIterable, Codable, Sendable {
    /// −1 … 1 (16-bit PCM is divided by 32,768).
    case unit
    /// −32,768 … 32,767, as in 16-bit PCM; other sample types are brought to the same range.
    case int16

    /// What a sample on the unit scale is multiplied by.
    public var factor: Float { self == .unit ? 1 : 32_768 }
}
