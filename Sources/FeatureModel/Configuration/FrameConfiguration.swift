/// How the signal is cut into frames, and what each frame is multiplied by.
public struct FrameConfiguration: Hashable, Sendable {
    /// Length of a frame and of its window.
    public let length: SampleSpan
    /// Distance from a frame to the next.
    public let hop: SampleSpan
    /// Length of the transform in samples, at least `length`; the rest is zeros. Nil: the next power of two.
    public let fftLength: Int?
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
        self.window = window
        self.symmetric = symmetric
        self.align = align
        self.pad = pad
        self.dropLast = dropLast
        self.removeDC = removeDC
        self.preEmphasis = preEmphasis
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
    private static let keys = [
        "length", "hop", "fft_length", "window", "symmetric", "align", "pad", "drop_last", "remove_dc", "pre_emphasis",
    ]

    /// Reads the `frame` section; a missing key has its default, a missing `fft_length` is null.
    public init(from decoder: any Decoder) throws {
        let section = try SectionReader(decoder, keys: Self.keys)
        let span = "1 to \(Self.longest) samples, or a time such as \"25 ms\""
        let fftLength: Int? =
            section.has("fft_length")
            ? try section.integer("fft_length", default: 0, in: 1...Self.longest) : nil
        try self.init(
            length: section.value("length", default: .samples(400), expected: span),
            hop: section.value("hop", default: .samples(160), expected: span),
            fftLength: fftLength,
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
        try container.encode(fftLength, forKey: AnyCodingKey("fft_length"))
        try container.encode(window, forKey: AnyCodingKey("window"))
        try container.encode(symmetric, forKey: AnyCodingKey("symmetric"))
        try container.encode(align, forKey: AnyCodingKey("align"))
        try container.encode(pad, forKey: AnyCodingKey("pad"))
        try container.encode(dropLast, forKey: AnyCodingKey("drop_last"))
        try container.encode(removeDC, forKey: AnyCodingKey("remove_dc"))
        try container.encode(preEmphasis, forKey: AnyCodingKey("pre_emphasis"))
    }
}
