/// How the signal is cut into frames, and what each frame is multiplied by.
public struct FrameConfiguration: Hashable, Sendable {
    /// Length of a frame and of its window.
    public let length: SampleSpan
    /// Distance from a frame to the next.
    public let hop: SampleSpan
    /// Length of the transform in samples, at least `length`; the rest is zeros. Nil: the next power of two.
    public let fftLength: Int?
    /// Whether an `fftLength` of nil becomes a number as soon as the sample rate is known: `next_power_of_two` in a
    /// configuration.
    let resolvesFFTLength: Bool
    /// The window.
    public let window: WindowFunction
    /// True: w[n] over length − 1 intervals (for filter design); false: periodic, over length intervals (for analysis).
    public let symmetric: Bool
    /// Where frames begin.
    public let align: FrameAlignment
    /// What stands beyond the ends of the signal; only centred frames see it.
    public let pad: EdgePadding
    /// Whether the last of the centred frames is left out, as Whisper does; centred frames only.
    public let dropLast: Bool
    /// Whether each frame's mean is taken away from it first.
    public let removeDC: Bool
    /// a in x[n] − a · x[n − 1] of each frame, 0 (none) to 1; its first sample becomes (1 − a) · x[0], as in Kaldi and HTK.
    public let preEmphasis: Double

    /// The longest frame and transform, in samples.
    public static let longest = 1 << 22

    /// Checks and keeps the values; those that depend on the sample rate are checked by `geometry(at:)`.
    ///
    /// - Throws: `ConfigurationError` for a length, hop or transform out of range.
    public init(
        length: SampleSpan = .samples(400), hop: SampleSpan = .samples(160), fftLength: Int? = 512,
        window: WindowFunction = .hann, symmetric: Bool = false, align: FrameAlignment = .start,
        pad: EdgePadding = .reflect, dropLast: Bool = false, removeDC: Bool = false, preEmphasis: Double = 0
    ) throws(ConfigurationError) {
        try self.init(
            length: length, hop: hop, fftLength: fftLength, resolvesFFTLength: false, window: window,
            symmetric: symmetric, align: align, pad: pad, dropLast: dropLast, removeDC: removeDC,
            preEmphasis: preEmphasis)
    }

    /// The same, with a length of the transform that may follow a rate that is not known yet.
    private init(
        length: SampleSpan, hop: SampleSpan, fftLength: Int?, resolvesFFTLength: Bool, window: WindowFunction,
        symmetric: Bool, align: FrameAlignment, pad: EdgePadding, dropLast: Bool, removeDC: Bool, preEmphasis: Double
    ) throws(ConfigurationError) {
        for (key, span) in [("frame.length", length), ("frame.hop", hop)] {
            let isAllowed =
                switch span {
                case .samples(let count): (1...Self.longest).contains(count)
                case .seconds(let time): time.isFinite && time > 0 && time <= 3600
                }
            guard isAllowed else {
                throw .invalidValue(
                    key: key, found: "\(span)",
                    expected: "1 to \(Self.longest) samples, or a time such as \"25 ms\" (up to an hour)")
            }
        }
        if let fftLength {
            let least = if case .samples(let count) = length { count } else { 1 }
            guard fftLength >= least, fftLength <= Self.longest else {
                throw .invalidValue(
                    key: "frame.fft_length", found: "\(fftLength)",
                    expected: "null or a number of samples from frame.length (\(least)) to \(Self.longest)")
            }
        }
        if let parameter = window.parameter, !window.hasValidParameter {
            throw .invalidValue(
                key: "frame.window.\(parameter.name)", found: "\(parameter.value)", expected: parameter.range)
        }
        guard (0...1).contains(preEmphasis) else {
            throw .invalidValue(
                key: "frame.pre_emphasis", found: "\(preEmphasis)", expected: "a number from 0 (none) to 1")
        }
        guard !dropLast || align == .center else {
            throw .invalidValue(
                key: "frame.drop_last", found: "true beside frame.align: \(align.rawValue)",
                expected: "false, or frame.align: center")
        }
        self.length = length
        self.hop = hop
        self.fftLength = fftLength
        self.resolvesFFTLength = resolvesFFTLength
        self.window = window
        self.symmetric = symmetric
        self.align = align
        self.pad = pad
        self.dropLast = dropLast
        self.removeDC = removeDC
        self.preEmphasis = preEmphasis
    }

    /// Frames of 25 ms every 10 ms, transforms of the next power of two, at any sample rate.
    ///
    /// - Throws: `ConfigurationError` for a coefficient out of range.
    static func timed(
        window: WindowFunction = .hann, symmetric: Bool = false, removeDC: Bool = false, preEmphasis: Double = 0
    ) throws(ConfigurationError) -> FrameConfiguration {
        try FrameConfiguration(
            length: .seconds(0.025), hop: .seconds(0.01), fftLength: nil, resolvesFFTLength: true, window: window,
            symmetric: symmetric, align: .start, pad: .reflect, dropLast: false, removeDC: removeDC,
            preEmphasis: preEmphasis)
    }

    /// The frames at a sample rate in Hz, with samples for times and a number for `next_power_of_two`; nil: the files' own
    /// rate, which is not known: times stay, and the word becomes null.
    ///
    /// - Throws: `ConfigurationError` as `geometry(at:)`.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> FrameConfiguration {
        let geometry: FrameGeometry? = if let sampleRate { try self.geometry(at: sampleRate) } else { nil }
        return try FrameConfiguration(
            length: geometry.map { .samples($0.length) } ?? length, hop: geometry.map { .samples($0.hop) } ?? hop,
            fftLength: resolvesFFTLength ? geometry?.fftLength : fftLength, resolvesFFTLength: false, window: window,
            symmetric: symmetric, align: align, pad: pad, dropLast: dropLast, removeDC: removeDC,
            preEmphasis: preEmphasis)
    }

    /// The frames in samples, at a sample rate in Hz.
    ///
    /// - Throws: `ConfigurationError` where a time comes to less than one sample or to more than `longest`, or the
    ///   frame is longer than the transform.
    public func geometry(at sampleRate: Double) throws(ConfigurationError) -> FrameGeometry {
        let length = length.samples(at: sampleRate)
        let hop = hop.samples(at: sampleRate)
        for (key, count) in [("frame.length", length), ("frame.hop", hop)] {
            guard (1...Self.longest).contains(count) else {
                throw .invalidValue(
                    key: key, found: "\(count) samples at \(sampleRate) Hz", expected: "1 to \(Self.longest) samples")
            }
        }
        let fftLength = fftLength ?? FrameGeometry.nextPowerOfTwo(atLeast: length)
        guard fftLength >= length else {
            throw .invalidValue(
                key: "frame.fft_length", found: "\(fftLength)",
                expected: "at least frame.length, which is \(length) samples at \(sampleRate) Hz")
        }
        return FrameGeometry(length: length, hop: hop, fftLength: fftLength)
    }
}

extension FrameConfiguration: Codable {
    static let keys = [
        "length", "hop", "fft_length", "window", "symmetric", "align", "pad", "drop_last", "remove_dc", "pre_emphasis",
    ]

    /// A transform of the next power of two, which is stored as the number that it comes to.
    private static let nextPowerOfTwo = "next_power_of_two"

    /// Reads the `frame` section; a missing key has its default, a missing `fft_length` is null.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        let span = "1 to \(Self.longest) samples, or a time such as \"25 ms\""
        let isPower = section.isWord(Self.nextPowerOfTwo, at: "fft_length")
        let fftLength: Int? =
            section.has("fft_length") && !isPower
            ? try section.integer(
                "fft_length", default: 0, in: 1...Self.longest, beside: "null, \(Self.nextPowerOfTwo), or ") : nil
        try self.init(
            length: section.value("length", default: .seconds(0.025), expected: span),
            hop: section.value("hop", default: .seconds(0.01), expected: span),
            fftLength: fftLength, resolvesFFTLength: isPower,
            window: section.section("window") ?? .hann,
            symmetric: section.flag("symmetric", default: false),
            align: section.choice("align", default: .start),
            pad: section.choice("pad", default: .reflect),
            dropLast: section.flag("drop_last", default: false),
            removeDC: section.flag("remove_dc", default: false),
            preEmphasis: section.value("pre_emphasis", default: 0, expected: "a number from 0 (none) to 1"))
    }

    /// Writes every key of the section.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(length, forKey: AnyCodingKey("length"))
        try container.encode(hop, forKey: AnyCodingKey("hop"))
        if resolvesFFTLength {
            try container.encode(Self.nextPowerOfTwo, forKey: AnyCodingKey("fft_length"))
        } else {
            try container.encode(fftLength, forKey: AnyCodingKey("fft_length"))
        }
        try container.encode(window, forKey: AnyCodingKey("window"))
        try container.encode(symmetric, forKey: AnyCodingKey("symmetric"))
        try container.encode(align, forKey: AnyCodingKey("align"))
        try container.encode(pad, forKey: AnyCodingKey("pad"))
        try container.encode(dropLast, forKey: AnyCodingKey("drop_last"))
        try container.encode(removeDC, forKey: AnyCodingKey("remove_dc"))
        try container.encode(preEmphasis, forKey: AnyCodingKey("pre_emphasis"))
    }
}
