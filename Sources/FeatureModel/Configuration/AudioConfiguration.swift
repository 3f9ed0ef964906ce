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
    /// How a clip shorter than `duration` is padded; nil: with zeros, and in the fixed layout not at all.
    public private(set) var fit: ClipFit?
    /// Which part of a clip longer than `duration` is kept.
    public private(set) var crop = ClipCrop.start
    /// The length in s up to which shorter clips are padded with zeros; nil: none. A longer clip keeps its length.
    public private(set) var minimum: Double?
    /// Zeros are appended until the number of samples is a multiple of this.
    public private(set) var multiple = 1
    /// Zeros in front of the clip, in samples at the configured rate, after everything that `condition` does. Its length is that much
    /// more than `duration`, `minimum` and `multiple` say.
    public private(set) var lead = 0
    /// What brings recordings to `sampleRate`, or samples to the rate of a plan.
    public private(set) var resampler = ResamplingMethod.soxrHQ
    /// By how much a segment may end after its recording, in s; it is cut off there. Nil: 1 ms, or as the dataset's format has it.
    public private(set) var overshoot: Double?

    /// The longest `overshoot`, in s.
    public static let maximumOvershoot = 3600.0

    /// The greatest `multiple`.
    public static let maximumMultiple = 1 << 22

    /// The greatest `lead`.
    public static let maximumLead = 1 << 22

    /// The longest `duration`, in s: 1000 days.
    public static let maximumDuration = 86_400_000.0

    /// The accepted sample rates, in Hz.
    public static let sampleRates = 1...10_000_000

    /// The section with its defaults.
    public static let standard = AudioConfiguration()

    private init() {}

    /// Checks the values.
    ///
    /// - Throws: `ConfigurationError` for a rate outside `sampleRates`, a duration out of range, a `fit` or `crop` without one, and
    ///   a `minimum` or `multiple` of clips whose length a duration decides.
    public init(
        sampleRate: Int? = standard.sampleRate, channels: ChannelSelection = standard.channels,
        scale: SampleScale = standard.scale, duration: Double? = standard.duration,
        fit: ClipFit? = standard.fit, crop: ClipCrop = standard.crop, minimum: Double? = standard.minimum,
        multiple: Int = standard.multiple, overshoot: Double? = standard.overshoot, lead: Int = standard.lead,
        resampler: ResamplingMethod = standard.resampler
    ) throws(ConfigurationError) {
        (self.sampleRate, self.channels, self.scale, self.duration) = (sampleRate, channels, scale, duration)
        (self.fit, self.crop, self.minimum, self.multiple) = (fit, crop, minimum, multiple)
        (self.overshoot, self.lead, self.resampler) = (overshoot, lead, resampler)
        try validate()
    }
}

extension AudioConfiguration {
    /// A rate in Hz as a number, or a text such as `16 kHz`; nil: it is none, or no whole number.
    package static func sampleRate(of value: ConfigurationValue) -> Int? {
        (value.number ?? value.text.flatMap(ValueFormat<Double>.hertz)).flatMap { Int(exactly: $0) }
    }

    /// The settings that decide which samples a clip in its recording has.
    package var signal: AudioConfiguration {
        var signal = self
        signal.overshoot = nil
        return signal
    }
}

extension AudioConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "audio", "From a recording to one signal.", standard: standard,
        [
            ConfigurationKey(
                "sample_rate", { $1(&$0.sampleRate) }, .sampleRate, unit: "Hz",
                "Rate that every clip is brought to; null: that of the recordings, which must all have the same."),
            ConfigurationKey(
                "resampler", { $1(&$0.resampler) }, .choice, isAlwaysWritten: false,
                "What brings recordings to that rate: libsoxr at its high, very high or medium quality, or the filter of another "
                    + "program: torchaudio's, which is Kaldi's; resampy's kaiser_best or kaiser_fast; SciPy's resample_poly "
                    + "(polyphase)."),
            ConfigurationKey(
                "channels", { $1(&$0.channels) }, .channels,
                "Which channels are analysed: the mean of all (mix), the first, one by its number from 0, or each by itself (all)."
            ),
            ConfigurationKey(
                "scale", { $1(&$0.scale) }, .choice, "Range of the samples: unit is -1 to 1, int16 -32768 to 32767."),
            ConfigurationKey(
                "duration", { $1(&$0.duration) }, .length, unit: "s",
                "Length that every clip is brought to, by cutting off its end or by appending zeros; with store.layout "
                    + "fixed, shorter clips stay as they are."),
            ConfigurationKey(
                "fit", { $1(&$0.fit) }, ValueFormat.choice.orNull,
                "What a clip shorter than duration is padded with: zeros (zero), itself over and over (repeat), "
                    + "whole repetitions and then zeros (repeat_pad), or nothing (keep); null: zero, or keep with "
                    + "store.layout fixed."
            ),
            ConfigurationKey(
                "crop", { $1(&$0.crop) }, .choice,
                "Which part of a clip longer than duration is kept: its start, or its middle (center), for which clips are "
                    + "decoded twice."),
            ConfigurationKey(
                "minimum", { $1(&$0.minimum) }, .length, unit: "s",
                "Length up to which zeros are appended to a shorter clip; a longer one keeps its length."),
            ConfigurationKey(
                "multiple", { $1(&$0.multiple) },
                ValueFormat.whole(1...maximumMultiple, "a whole number from 1 to \(maximumMultiple)"), unit: "samples",
                "Zeros are appended to a clip until its number of samples is a multiple of this, after minimum."),
            ConfigurationKey(
                "overshoot", { $1(&$0.overshoot) }, .overshoot, unit: "s",
                "How long after its recording's end a segment may end; it is then cut off there. null: 0.001, or "
                    + "what the dataset's format has (0.5 in Kaldi)."),
            ConfigurationKey(
                "lead", { $1(&$0.lead) },
                ValueFormat.whole(0...maximumLead, "a whole number from 0 to \(maximumLead)"), unit: "samples",
                isAlwaysWritten: false,
                "Zeros in front of the clip, put there after the steps of condition. duration, minimum and multiple "
                    + "do not count them."),
        ])

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        if let duration {
            guard fit != .keep else {
                try require(
                    minimum ?? 0 <= duration, "audio.minimum",
                    found: "\((minimum ?? 0).shortText) s with audio.duration: \(duration.shortText) s",
                    expected: "null, or at most audio.duration")
                return
            }
            try require(
                minimum == nil && multiple == 1, minimum == nil ? "audio.multiple" : "audio.minimum",
                found: "it with audio.duration",
                expected:
                    "\(minimum == nil ? "1" : "null"), or audio.fit: keep, with which clips have lengths of their own")
            return
        }
        if let fit {
            throw .invalidValue(
                key: "audio.fit", found: "\(fit.rawValue) without audio.duration", expected: "null, or audio.duration")
        }
        try require(
            crop == .start, "audio.crop", found: "\(crop.rawValue) without audio.duration",
            expected: "start, or audio.duration")
    }
}

/// How a clip shorter than `AudioConfiguration.duration` is padded, after everything that `condition` does.
public enum ClipFit: String, CaseIterable, Codable, Sendable {
    /// Zeros follow.
    case zero
    /// The clip follows, over and over, and is cut off at the end: x[n mod length].
    case `repeat`
    /// The clip follows as often as it fits as a whole, then zeros.
    case repeatPad = "repeat_pad"
    /// Nothing follows: the clip keeps its length.
    case keep
}

/// Which part of a clip longer than `AudioConfiguration.duration` is kept.
public enum ClipCrop: String, CaseIterable, Codable, Sendable {
    /// From its first sample on.
    case start
    /// From sample ⌊(samples − kept samples) / 2⌋ on.
    case center
}

extension ValueFormat where Value == Double? {
    /// The length of a clip, or null.
    fileprivate static var length: Self {
        let longest = AudioConfiguration.maximumDuration
        return ValueFormat<Double>.time(
            0...longest, isOpenBelow: true, "null or more than 0, up to \(Int(longest)) s",
            readable: "null, a number of seconds, or a time such as '3 s'"
        ).orNull
    }
}

extension ValueFormat where Value == Double? {
    /// A time after the end of a recording, or null.
    fileprivate static var overshoot: Self {
        let longest = AudioConfiguration.maximumOvershoot
        return ValueFormat<Double>.time(
            0...longest, "null or 0 to \(Int(longest)) s",
            readable: "null, a number of seconds, or a time such as '0.5 s'"
        ).orNull
    }
}

extension ValueFormat where Value == Int? {
    /// A sample rate, or null.
    fileprivate static var sampleRate: Self {
        let rates = AudioConfiguration.sampleRates
        return ValueFormat<Int>(
            .either([.whole(rates), .quantity(.frequency)]), "null or \(rates.lowerBound) to \(rates.upperBound) Hz",
            readable: "null or a whole number of Hz, such as 16000 or '16 kHz'",
            read: { value, _ throws(ConfigurationError) in AudioConfiguration.sampleRate(of: value) },
            write: { .whole($0) }, isAllowed: { rates.contains($0) }
        ).orNull
    }
}

/// Which channels of a recording become the signals that are analysed.
public enum ChannelSelection: Hashable, Sendable {
    /// The mean of all channels.
    case mix
    /// The first channel.
    case first
    /// One channel, counted from 0.
    case number(Int)
    /// Each channel by itself, as if it were a recording of its own; all clips have as many.
    case all

    /// The one channel, from 0; nil: all of them.
    package var single: Int? {
        switch self {
        case .mix, .all: nil
        case .first: 0
        case .number(let number): number
        }
    }
}

extension ValueFormat where Value == ChannelSelection {
    /// `mix`, `first`, `all` or a channel number.
    fileprivate static var channels: Self {
        let numbers = 0...1023
        let named: KeyValuePairs<String, ChannelSelection> = ["mix": .mix, "first": .first, "all": .all]
        let names = named.map(\.key)
        return Self(
            .either([.names(names), .whole(numbers)]), names.joined(separator: ", ") + " or a channel number from 0",
            read: { value, _ in
                if let number = value.whole, numbers.contains(number) { return .number(number) }
                return named.first { $0.key == value.text }?.value
            },
            write: { channels in
                if case .number(let number) = channels { return .whole(number) }
                return named.first { $0.value == channels }.map { .text($0.key) } ?? .null
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
