/// How the signal is cut into frames, and what each frame is multiplied by.
public struct FrameConfiguration: Hashable, Sendable {
    /// Length of a frame and of its window.
    public private(set) var length = SampleSpan.seconds(0.025)
    /// Distance from a frame to the next.
    public private(set) var hop = SampleSpan.seconds(0.01)
    /// How `length` and `hop` become samples where they are times.
    public private(set) var rounding = TimeRounding.nearest
    /// Length of the transform in samples, at least `length`; the rest is zeros. Nil: the next power of two.
    public var fftLength: Int? { transformLength.value }
    private var transformLength = RateFollowing<Int>.null
    /// The window.
    public private(set) var window = WindowFunction.hann
    /// True: over length − 1 intervals (for filter design); false: periodic, over length intervals (for analysis).
    public private(set) var symmetric = false
    /// Where frames start.
    public private(set) var align = FrameAlignment.start
    /// How the signal continues past its ends; only frames of `center` and `half` see it.
    public private(set) var pad = EdgePadding.reflect
    /// Whether the last of the centred frames is left out, as Whisper does; centred frames only.
    public private(set) var dropLast = false
    /// Whether each frame's mean is subtracted from it first.
    public private(set) var removeDC = false
    /// a in x[n] − a · x[n − 1] of each frame, 0 (none) to 1; its first sample becomes (1 − a) · x[0], as in Kaldi and HTK.
    public private(set) var preEmphasis = 0.0
    /// Samples that have to follow a frame for it to exist; they are not part of it. Frames that start at samples only.
    public private(set) var lookahead = 0
    /// Whether every hop of the signal starts a frame, with zeros past the end; frames that start at samples only.
    public private(set) var padEnd = false
    /// The part of the transform that the window covers; `center` only where frames start at samples, since other frames have it in the
    /// middle but for `left`.
    public private(set) var windowPosition = WindowPosition.start

    /// The longest frame and transform, in samples.
    public static let maximumLength = 1 << 22

    /// The section with its defaults: frames of 25 ms every 10 ms, at any sample rate.
    public static let standard = FrameConfiguration()

    private init() {}

    /// Checks the values; `geometry(at:)` checks what depends on the sample rate.
    ///
    /// - Throws: `ConfigurationError` for a length, hop or transform out of range.
    public init(
        length: SampleSpan = standard.length, hop: SampleSpan = standard.hop,
        rounding: TimeRounding = standard.rounding, fftLength: Int? = standard.fftLength,
        window: WindowFunction = standard.window, symmetric: Bool = standard.symmetric,
        align: FrameAlignment = standard.align, pad: EdgePadding = standard.pad, dropLast: Bool = standard.dropLast,
        removeDC: Bool = standard.removeDC, preEmphasis: Double = standard.preEmphasis,
        lookahead: Int = standard.lookahead, padEnd: Bool = standard.padEnd,
        windowPosition: WindowPosition = standard.windowPosition
    ) throws(ConfigurationError) {
        (self.length, self.hop, self.rounding) = (length, hop, rounding)
        (self.window, transformLength) = (window, RateFollowing(fftLength))
        (self.symmetric, self.align, self.pad, self.dropLast) = (symmetric, align, pad, dropLast)
        (self.removeDC, self.preEmphasis, self.lookahead) = (removeDC, preEmphasis, lookahead)
        (self.padEnd, self.windowPosition) = (padEnd, windowPosition)
        try validate()
    }

    /// The same with other lengths.
    ///
    /// - Throws: `ConfigurationError` for a length, hop or transform out of range.
    package func with(
        length: SampleSpan, hop: SampleSpan, fftLength: Int?
    ) throws(ConfigurationError) -> FrameConfiguration {
        var changed = self
        (changed.length, changed.hop, changed.transformLength) = (length, hop, RateFollowing(fftLength))
        try changed.validate()
        return changed
    }

    /// The same frames, with a transform whose length is stored as a number once the sample rate is known:
    /// `next_power_of_two` in a configuration.
    func withStoredFFTLength() -> FrameConfiguration {
        var frame = self
        frame.transformLength = .following
        return frame
    }

    /// The frames at a sample rate in Hz, with samples for times and a number for `next_power_of_two`; nil: the rate of the
    /// files, which is unknown: times are kept, and the word becomes null. Equal frames become equal configurations: where no time is
    /// left there is nothing to round, and the alignment has its simplest name.
    ///
    /// - Throws: `ConfigurationError` as `geometry(at:)`.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> FrameConfiguration {
        var resolved = self
        guard let sampleRate else {
            resolved.transformLength = transformLength.resolved(to: nil)
            if case .samples(let length) = length, case .samples(let hop) = hop {
                resolved.rounding = Self.standard.rounding
                resolved.align = align.simplest(length: length, hop: hop)
            }
            return resolved
        }
        let geometry = try geometry(at: sampleRate)
        (resolved.length, resolved.hop) = (.samples(geometry.length), .samples(geometry.hop))
        resolved.rounding = Self.standard.rounding
        resolved.align = align.simplest(length: geometry.length, hop: geometry.hop)
        resolved.transformLength = transformLength.resolved(to: geometry.fftLength)
        try resolved.validate()
        return resolved
    }

    /// The frames in samples, at a sample rate in Hz.
    ///
    /// - Throws: `ConfigurationError` for a time of less than one sample or more than `maximumLength`, and a frame longer
    ///   than the transform.
    public func geometry(at sampleRate: Double) throws(ConfigurationError) -> FrameGeometry {
        let length = length.samples(at: sampleRate, rounding: rounding)
        let hop = hop.samples(at: sampleRate, rounding: rounding)
        for (key, count) in [("frame.length", length), ("frame.hop", hop)] {
            try require(
                (1...Self.maximumLength).contains(count), key, found: "\(count) samples at \(sampleRate) Hz",
                expected: "1 to \(Self.maximumLength) samples")
        }
        let fftLength = fftLength ?? FrameGeometry.nextPowerOfTwo(atLeast: length)
        try require(
            fftLength >= length, "frame.fft_length", found: "\(fftLength)",
            expected: "at least frame.length, which is \(length) samples at \(sampleRate) Hz")
        try require(
            align != .half || hop <= fftLength, "frame.hop", found: "\(hop) samples with frame.align: half",
            expected: "at most frame.fft_length, \(fftLength) samples")
        return FrameGeometry(length: length, hop: hop, fftLength: fftLength)
    }
}

extension FrameConfiguration: ConfigurationSection {
    static let table = SectionTable(
        "frame", "From the signal to frames: in order, the mean, pre-emphasis, the window.", standard: standard,
        [
            ConfigurationKey(
                "length", { $1(&$0.length) }, .span(1...maximumLength),
                "Length of a frame and of its window, in samples or as a time."),
            ConfigurationKey(
                "hop", { $1(&$0.hop) }, .span(1...maximumLength),
                "Distance from a frame to the next, in samples or as a time."),
            ConfigurationKey(
                "rounding", { $1(&$0.rounding) }, .choice,
                "How length and hop become samples where they are times: the nearest whole number, halves up (nearest) or to the "
                    + "even one (even), or the whole number below (down). Where the sample rate is known, times are stored as samples, "
                    + "and this as nearest."),
            ConfigurationKey(
                "fft_length", { $1(&$0.transformLength) },
                ValueFormat.whole(
                    1...maximumLength, "null, next_power_of_two, or a whole number from 1 to \(maximumLength)"
                ).orNull(orWord: "next_power_of_two"), unit: "samples",
                "Length of the transform, at least frame.length; the rest is zeros. null: the next power of two; "
                    + "next_power_of_two is stored as that number."),
            ConfigurationKey(
                "window", { $1(&$0.window) }, .shortSection,
                "What a frame is multiplied by: a name or, for a shape with a parameter, a mapping."),
            ConfigurationKey(
                "symmetric", { $1(&$0.symmetric) }, .flag,
                "True: the window spans length - 1 intervals; false: periodic, length intervals."),
            ConfigurationKey(
                "align", { $1(&$0.align) }, .choice,
                "Where frame i is: it starts at sample i * hop (start), has its middle there (center), or has its "
                    + "middle at (i + 1/2) * hop (kaldi, lhotse, half). Past its ends, the signal is mirrored, its "
                    + "first and last sample included (kaldi: Kaldi's --snip-edges=false; lhotse: frames a sample "
                    + "later where the length is even and the hop odd), or continues as pad says (center; half, with "
                    + "whole frames of fft_length alone)."),
            ConfigurationKey(
                "pad", { $1(&$0.pad) }, .choice,
                "How the signal continues past its ends, for align: center and half: mirrored, its first and last sample "
                    + "repeated, or zeros."),
            ConfigurationKey(
                "drop_last", { $1(&$0.dropLast) }, .flag,
                "Whether the last frame is left out; only with align: center."),
            ConfigurationKey(
                "remove_dc", { $1(&$0.removeDC) }, .flag, "Whether each frame's mean is subtracted from it."),
            ConfigurationKey(
                "pre_emphasis", { $1(&$0.preEmphasis) }, .preEmphasis,
                "a in x[n] - a x[n-1] of each frame; the frame's first sample becomes (1 - a) x[0]."),
            ConfigurationKey(
                "lookahead", { $1(&$0.lookahead) },
                ValueFormat.whole(0...maximumLength, "a whole number from 0 to \(maximumLength)"), unit: "samples",
                "Samples that have to follow a frame for it to exist, without being part of it; only with align: "
                    + "start."),
            ConfigurationKey(
                "pad_end", { $1(&$0.padEnd) }, .flag, isAlwaysWritten: false,
                "Whether zeros follow the signal until every hop of it starts a frame: ceil(samples/hop) frames; "
                    + "only with align: start."
            ),
            ConfigurationKey(
                "window_at", { $1(&$0.windowPosition) }, .choice, isAlwaysWritten: false,
                "Which part of fft_length a shorter window covers: its start, or its middle (center), so that a frame needs fft_length samples; "
                    + "center only with align: start, since other frames have it in the middle anyway. left, with "
                    + "align: center or half: the frame is centred as before, but the window is at its start."),
        ])

    func validate() throws(ConfigurationError) {
        try Self.table.check(self)
        if let fftLength, case .samples(let length) = length, fftLength < length {
            throw .invalidValue(
                key: "frame.fft_length", found: "\(fftLength)",
                expected: "null or a number of samples from frame.length (\(length)) to \(Self.maximumLength)")
        }
        try window.validate()
        try require(
            !dropLast || align == .center, "frame.drop_last", found: "true with frame.align: \(align.rawValue)",
            expected: "false, or frame.align: center")
        try require(
            lookahead == 0 || align == .start, "frame.lookahead",
            found: "\(lookahead) with frame.align: \(align.rawValue)", expected: "0, or frame.align: start")
        try require(
            !padEnd || align == .start && lookahead == 0, "frame.pad_end",
            found: align == .start
                ? "true with frame.lookahead: \(lookahead)" : "true with frame.align: \(align.rawValue)",
            expected: "false, or frame.align: start and frame.lookahead: 0")
        try require(
            windowPosition != .center || align == .start, "frame.window_at",
            found: "center with frame.align: \(align.rawValue)", expected: "start, or frame.align: start")
        try require(
            windowPosition != .left || align == .center || align == .half, "frame.window_at",
            found: "left with frame.align: \(align.rawValue)", expected: "start, or frame.align: center or half")
    }
}

/// Where the frames lie on the signal.
public enum FrameAlignment: String, CaseIterable, Codable, Sendable {
    /// Frame i starts at sample i · hop; only whole frames count: 1 + ⌊(samples − length) / hop⌋ of them.
    ///
    /// The same as Kaldi's `--snip-edges=true`.
    case start
    /// The middle of frame i lies at sample i · hop; the signal is continued past its ends by `EdgePadding`.
    ///
    /// There are 1 + ⌊samples / hop⌋ frames when `fft_length` is even, as in librosa and torchaudio.
    case center
    /// The middle of frame i lies at sample (i + ½) · hop; the signal is mirrored past its ends, its first and last sample
    /// repeated: … x₁ x₀ | x₀ x₁ …
    ///
    /// There are ⌊(samples + hop/2) / hop⌋ frames: Kaldi's `--snip-edges=false`.
    case kaldi
    /// As `kaldi`, but half of length − hop is rounded, not each half: frames are a sample later where the length is even and the
    /// hop odd, such as 1102 and 441 samples at 44.1 kHz.
    case lhotse
    /// The middle of frame i, of `fft_length` samples, is sample (i + ½) · hop; the signal is continued past its ends by
    /// `EdgePadding`.
    ///
    /// There are ⌊samples / hop⌋ frames where `fft_length` − hop is even: HiFi-GAN's and other vocoders', and NeMo's `exact_pad`.
    case half

    /// The number of samples by which frame 0 starts before the signal, where ends are mirrored as Kaldi does; nil: they are not.
    package func mirrored(length: Int, hop: Int) -> Int? {
        switch self {
        case .start, .center, .half: nil
        case .kaldi: length / 2 - hop / 2
        case .lhotse: (length - hop) >> 1
        }
    }

    /// The simplest name for the same frames: `kaldi` for `lhotse`, but where these differ.
    func simplest(length: Int, hop: Int) -> FrameAlignment {
        let kaldi = FrameAlignment.kaldi
        return self == .lhotse && mirrored(length: length, hop: hop) == kaldi.mirrored(length: length, hop: hop)
            ? kaldi : self
    }
}

/// Which part of a transform a shorter window covers.
public enum WindowPosition: String, CaseIterable, Codable, Sendable {
    /// At its start; zeros follow.
    case start
    /// In its middle, as in librosa and torchaudio with `center=False`.
    case center
    /// At the start of a frame that is centred as if the window were in its middle: what ports do that put all zeros after the window.
    case left
}

/// How the signal continues before its first and after its last sample where frames are centred.
public enum EdgePadding: String, CaseIterable, Codable, Sendable {
    /// The signal mirrored at its first and last sample, which are not repeated: … x₂ x₁ | x₀ x₁ x₂ …
    case reflect
    /// The first and the last sample, repeated.
    case edge
    /// Zeros.
    case zero
}

/// The lengths of frames in samples, with the sample rate known.
public struct FrameGeometry: Hashable, Sendable {
    /// Samples in a frame and in its window; at least 1.
    public let length: Int
    /// Samples from a frame to the next; at least 1.
    public let hop: Int
    /// Samples in the transform; at least `length`.
    public let fftLength: Int

    /// The least power of two that is at least `count`.
    package static func nextPowerOfTwo(atLeast count: Int) -> Int {
        var power = 1
        while power < count { power <<= 1 }
        return power
    }
}
