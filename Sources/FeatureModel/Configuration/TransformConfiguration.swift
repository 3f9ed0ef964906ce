/// What each frame is turned into.
public enum TransformConfiguration: Hashable, Sendable {
    /// Every `step`-th of the first `bins` bins of the real Fourier transform, from 0 Hz up; nil: of all, fft_length/2 + 1.
    case fft(bins: Int?, step: Int = 1)
    /// The first `bins` coefficients of a discrete cosine transform; nil: all, fft_length.
    case dct(bins: Int?, type: CosineTransformType = .two, norm: CosineNormalization = .none)
    /// A bank of triangular filters over the real Fourier transform.
    case mel(MelConfiguration, deltas: DeltaConfiguration = .none)
    /// Mel-frequency cepstral coefficients.
    case mfcc(CepstrumConfiguration)
    /// Cepstral coefficients of bands evenly spaced in Hz.
    case lfcc(CepstrumConfiguration)
    /// A musical frequency axis over the magnitudes of the real Fourier transform.
    case musical(MusicalConfiguration)
    /// The samples of the frame themselves.
    case raw

    static let path = "transform"
    /// The upper bound of `step`.
    public static let maximumStep = FrameConfiguration.maximumLength

    /// The name in a configuration.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// See the case of the same name in `TransformConfiguration`, all of them.
        case fft, dct, mel, mfcc, lfcc, musical, raw
    }

    /// Which transform it is.
    public var kind: Kind {
        switch self {
        case .fft: .fft
        case .dct: .dct
        case .mel: .mel
        case .mfcc: .mfcc
        case .lfcc: .lfcc
        case .musical: .musical
        case .raw: .raw
        }
    }

    /// The transform at a sample rate in Hz, with a number for an edge of half the rate; nil: the rate of the files.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> TransformConfiguration {
        switch self {
        case .mel(let mel, let deltas): .mel(try mel.resolved(at: sampleRate), deltas: deltas)
        case .mfcc(let cepstrum): .mfcc(try cepstrum.resolved(at: sampleRate))
        case .lfcc(let cepstrum): .lfcc(try cepstrum.resolved(at: sampleRate))
        case .fft, .dct, .musical, .raw: self
        }
    }

    /// The filter bank; nil where the transform has none.
    public var bank: MelConfiguration? {
        switch self {
        case .mel(let mel, _): mel
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum.bank
        case .fft, .dct, .musical, .raw: nil
        }
    }

    /// The cepstral coefficients; nil where the bands are the result.
    public var cepstrum: CepstrumConfiguration? {
        switch self {
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum
        case .fft, .dct, .mel, .musical, .raw: nil
        }
    }

    /// The slopes over time.
    public var deltas: DeltaConfiguration {
        switch self {
        case .mel(_, let deltas): deltas
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum.deltas
        case .fft, .dct, .musical, .raw: .none
        }
    }

    /// The number of values of a frame, without deltas, for frames of `frameLength` and transforms of `fftLength` samples.
    ///
    /// - Throws: `ConfigurationError` for more than the transform has.
    public func bins(frameLength: Int, fftLength: Int) throws(ConfigurationError) -> Int {
        if case .fft(_, let step) = self, !(1...Self.maximumStep).contains(step) {
            throw .invalidValue(
                key: "transform.step", found: "\(step)", expected: "a whole number from 1 to \(Self.maximumStep)")
        }
        let (asked, limit): (Int?, Int) =
            switch self {
            case .fft(let bins, _): (bins, fftLength / 2 + 1)
            case .dct(let bins, _, _): (bins, fftLength)
            case .mel(let mel, _): (mel.bins, mel.bins)
            case .mfcc(let cepstrum), .lfcc(let cepstrum): (cepstrum.bins, cepstrum.bins)
            case .musical(let musical): (musical.points, musical.points)
            case .raw: (frameLength, frameLength)
            }
        if case .dct(_, .one, _) = self, fftLength < 2 {
            throw .invalidValue(
                key: "frame.fft_length", found: "\(fftLength)", expected: "at least 2 for a DCT of type 1")
        }
        let bins = asked ?? limit
        try require(
            (1...limit).contains(bins), "transform.bins", found: "\(bins)",
            expected: "null or 1 to \(limit), what a transform of \(fftLength) samples has")
        if case .fft(_, let step) = self { return (bins + step - 1) / step }
        return bins
    }
}

extension TransformConfiguration {
    /// What the values are, in words.
    public var longName: String {
        let slopes = ["", " with deltas", " with deltas and delta-deltas"][deltas.order]
        return switch self {
        case .fft: "spectrogram (real FFT)"
        case .dct(_, let type, _): "spectrogram (DCT-\(["I", "II", "III", "IV"][type.rawValue - 1]))"
        case .mel(let mel, _): mel.scale == .linear ? "linear filter bank" + slopes : "mel spectrogram" + slopes
        case .mfcc: "mel-frequency cepstral coefficients" + slopes
        case .lfcc: "linear-frequency cepstral coefficients" + slopes
        case .musical: "musical spectrum"
        case .raw: "waveform"
        }
    }
}

extension TransformConfiguration: ConfigurationSection {
    /// The payload of `.fft`.
    private struct Spectrum {
        var bins: Int?
        var step: Int
    }

    /// The payload of `.dct`.
    private struct Cosine {
        var bins: Int?
        var type: CosineTransformType
        var norm: CosineNormalization
    }

    static let table = SectionTable(
        path, "From a frame to values; which keys there are depends on kind.", kind: { $0.kind.rawValue },
        standardKind: Kind.mel.rawValue, kindSentence: "The kind of transform.",
        [
            variant(
                .fft(bins: nil), "Bins of the real Fourier transform, from 0 Hz up.",
                spectrum.within(
                    part: { if case .fft(let bins, let step) = $0 { Spectrum(bins: bins, step: step) } else { nil } },
                    replace: { $0 = .fft(bins: $1.bins, step: $1.step) })),
            variant(
                .dct(bins: nil), "The first coefficients of a discrete cosine transform.",
                cosine.within(
                    part: { transform in
                        guard case .dct(let bins, let type, let norm) = transform else { return nil }
                        return Cosine(bins: bins, type: type, norm: norm)
                    }, replace: { $0 = .dct(bins: $1.bins, type: $1.type, norm: $1.norm) })),
            variant(
                .mel(.standard), "A bank of triangular filters over the real Fourier transform.",
                ([MelConfiguration.bands] + MelConfiguration.keys + [MelConfiguration.order]).within(
                    part: { $0.bank }, replace: { $0 = .mel($1, deltas: $0.deltas) })
                    + DeltaConfiguration.keys.within(
                        part: { $0.deltas }, replace: { $0 = .mel($0.bank ?? .standard, deltas: $1) })),
            variant(
                .mfcc(.standard), "Mel-frequency cepstral coefficients: the DCT-II of a bank's scaled bands.",
                CepstrumConfiguration.keys.within(part: { $0.cepstrum }, replace: { $0 = .mfcc($1) })),
            variant(
                .lfcc(.linear), "As mfcc, of bands that are evenly spaced in Hz and have a peak of 1.",
                CepstrumConfiguration.linearKeys.within(part: { $0.cepstrum }, replace: { $0 = .lfcc($1) })),
            variant(
                .musical(.standard),
                "Magnitudes of the real Fourier transform at points with the same number for every semitone.",
                MusicalConfiguration.keys.within(
                    part: { if case .musical(let musical) = $0 { musical } else { nil } },
                    replace: { $0 = .musical($1) })),
            variant(
                .raw, "The samples of a frame themselves, for scale.kind: linear and a rectangular window.", []),
        ])

    private static func variant(
        _ standard: Self, _ sentence: String, _ keys: [ConfigurationKey<Self>]
    ) -> SectionTable<Self>.Variant {
        let kind = standard.kind.rawValue
        return .init(kinds: [kind], definition: kind, sentence: sentence, keys: keys) { _ in standard }
    }

    private static let bins = ValueFormat.whole(1...(.max), "null or a whole number from 1").orNull

    private static let spectrum = [
        ConfigurationKey<Spectrum>(
            "bins", { $1(&$0.bins) }, bins, "Bins looked at, from 0 Hz up, at most fft_length/2 + 1; null: all."),
        ConfigurationKey(
            "step", { $1(&$0.step) }, .whole(1...maximumStep), "Of those, every step-th is kept, from the first on."),
    ]

    private static let cosine = [
        ConfigurationKey<Cosine>(
            "bins", { $1(&$0.bins) }, bins, "Number of coefficients, at most fft_length; null: all."),
        ConfigurationKey(
            "type", { $1(&$0.type) },
            ValueFormat(
                .whole(1...4), "a whole number from 1 to 4",
                read: { value, _ in value.whole.flatMap(CosineTransformType.init) }, write: { .whole($0.rawValue) }),
            "The type, from DCT-I to DCT-IV; DCT-I needs two samples or more."),
        ConfigurationKey("norm", { $1(&$0.norm) }, .choice, "Plain sums (none) or an orthogonal matrix (ortho)."),
    ]

    func validate() throws(ConfigurationError) {
        switch self {
        case .fft, .dct, .raw: break
        case .mel(let bank, _): try bank.validate()
        case .mfcc(let cepstrum), .lfcc(let cepstrum): try cepstrum.validate()
        case .musical(let musical): try musical.validate()
        }
    }
}

extension TransformConfiguration: Codable {
    package var value: ConfigurationValue { Self.table.write(self) }

    /// Reads the `transform` section; the other keys depend on `kind`.
    public init(from decoder: any Decoder) throws { self = try Self.table.read(ConfigurationValue(from: decoder)) }

    /// Writes the keys that this kind has.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension TransformConfiguration.Kind {
    /// The settings that this kind and another share: keys of this kind, and their names in the other.
    ///
    /// Bands are counted by `bins` where they are the result and by `bands` where cepstra are made of them; `bins` of a transform,
    /// of bands and of cepstra differ in meaning. Notes share nothing with the other kinds.
    package func keysKept(for other: Self) -> [String: String] {
        func names(_ kind: Self) -> Set<String> {
            Set(TransformConfiguration.table.variant(of: kind.rawValue)?.keys.map(\.name) ?? [])
        }
        var kept = Dictionary(uniqueKeysWithValues: names(self).intersection(names(other)).map { ($0, $0) })
        guard self != other else { return kept }
        let (bands, otherBands) = (bandsKey, other.bandsKey)
        if bands != otherBands || bands == "bins" { kept["bins"] = nil }
        if let bands, let otherBands { kept[bands] = otherBands }
        return kept
    }

    /// The key that counts the bands of the filter bank; nil: there is none.
    private var bandsKey: String? {
        switch self {
        case .mel: "bins"
        case .mfcc, .lfcc: "bands"
        case .fft, .dct, .musical, .raw: nil
        }
    }
}

/// The four usual types of discrete cosine transform, by their numbers.
///
/// N is the number of samples x and of coefficients X; k, n = 0 … N−1. Each sum is half of what SciPy's
/// `scipy.fft.dct(x, type, norm=None)` and FFTW's r2r transforms give.
public enum CosineTransformType: Int, CaseIterable, Codable, Sendable {
    /// X[k] = ½ (x[0] + (−1)ᵏ x[N−1]) + Σ x[n] cos(πnk/(N−1)), the sum over n = 1 … N−2; needs two samples.
    case one = 1
    /// X[k] = Σ x[n] cos(πk(n + ½)/N). "The" cosine transform.
    case two = 2
    /// X[k] = ½ x[0] + Σ x[n] cos(πn(k + ½)/N), the sum over n = 1 … N−1. The inverse of type 2, except for a factor.
    case three = 3
    /// X[k] = Σ x[n] cos(π(2n + 1)(2k + 1)/4N).
    case four = 4

    /// The type of the inverse, except for a factor.
    public var inverse: CosineTransformType {
        switch self {
        case .one: .one
        case .two: .three
        case .three: .two
        case .four: .four
        }
    }

    /// The minimum number of samples.
    public var minimumLength: Int { self == .one ? 2 : 1 }
}

/// How the coefficients of a cosine transform are scaled.
public enum CosineNormalization: String, CaseIterable, Codable, Sendable {
    /// Unscaled: the sums of `CosineTransformType`.
    case none
    /// An orthogonal transform, which keeps the energy: `norm="ortho"` of `scipy.fft.dct`.
    ///
    /// The sums times √(2/N), with X[0] divided by √2 in type 2 and x[0] multiplied by √2 in type 3. In type 1, times
    /// √(2/(N−1)), the first and last sample multiplied and the first and last coefficient divided by √2.
    case ortho
}
