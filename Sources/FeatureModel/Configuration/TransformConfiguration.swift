/// What each frame is turned into, and by what.
public struct TransformConfiguration: Hashable, Sendable {
    /// What it is turned into.
    public var method: TransformMethod
    /// What computes the Fourier or cosine transform; of `.raw`, nothing does.
    public var engine: TransformEngine = .lanes

    static let path = "transform"

    /// - Parameter method: By the program's own transform.
    public init(_ method: TransformMethod) { self.method = method }

    /// See the method of the same name.
    public static func fft(_ spectrum: SpectrumConfiguration = .standard) -> Self { Self(.fft(spectrum)) }
    /// The first `bins` bins from 0 Hz up, every `step`-th of them; nil: all. `FeatureConfiguration` checks the numbers.
    public static func fft(bins: Int?, step: Int = 1) -> Self { Self(.fft(.init(unchecked: bins, step: step))) }
    /// See the method of the same name.
    public static func dct(
        bins: Int?, type: CosineTransformType = .two, norm: CosineNormalization = .none
    ) -> Self { Self(.dct(bins: bins, type: type, norm: norm)) }
    /// See the method of the same name.
    public static func mel(_ mel: MelConfiguration, deltas: DeltaConfiguration = .none) -> Self {
        Self(.mel(mel, deltas: deltas))
    }
    /// See the method of the same name.
    public static func mfcc(_ cepstrum: CepstrumConfiguration) -> Self { Self(.mfcc(cepstrum)) }
    /// See the method of the same name.
    public static func lfcc(_ cepstrum: CepstrumConfiguration) -> Self { Self(.lfcc(cepstrum)) }
    /// See the method of the same name.
    public static func musical(_ musical: MusicalConfiguration) -> Self { Self(.musical(musical)) }
    /// See the method of the same name.
    public static let raw = Self(.raw)

    /// The name in a configuration.
    public typealias Kind = TransformMethod.Kind
    /// Which transform it is.
    public var kind: Kind { method.kind }
    /// The filter bank; nil where the transform has none.
    public var bank: MelConfiguration? { method.bank }
    /// The cepstral coefficients; nil where the bands are the result.
    public var cepstrum: CepstrumConfiguration? { method.cepstrum }
    /// The slopes over time.
    public var deltas: DeltaConfiguration { method.deltas }
    /// What the values are, in words.
    public var longName: String { method.longName }

    /// See the method of the same name.
    public func bins(frameLength: Int, fftLength: Int, sampleRate: Double) throws(ConfigurationError) -> Int {
        try method.bins(frameLength: frameLength, fftLength: fftLength, sampleRate: sampleRate)
    }

    /// The transform at a sample rate in Hz, with a number for an edge of half the rate; nil: the rate of the files.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> TransformConfiguration {
        var resolved = self
        resolved.method = try method.resolved(at: sampleRate)
        return resolved
    }
}

/// What computes Fourier and cosine transforms.
public enum TransformEngine: String, CaseIterable, Codable, Sendable {
    /// The program's own transform, whose bits depend neither on the processor nor on the build.
    case lanes
    /// FFTW, in builds that have it (the package's trait `FFTW`).
    case fftw
}

extension TransformConfiguration: ConfigurationSection {
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
                .fft(), "Bins of the real Fourier transform, from 0 Hz up.",
                SpectrumConfiguration.keys.within(
                    part: { if case .fft(let spectrum) = $0.method { spectrum } else { nil } },
                    replace: { $0.method = .fft($1) })),
            variant(
                .dct(bins: nil), "The first coefficients of a discrete cosine transform.",
                cosine.within(
                    part: { transform in
                        guard case .dct(let bins, let type, let norm) = transform.method else { return nil }
                        return Cosine(bins: bins, type: type, norm: norm)
                    }, replace: { $0.method = .dct(bins: $1.bins, type: $1.type, norm: $1.norm) })),
            variant(
                .mel(.standard), "A bank of triangular filters over the real Fourier transform.",
                ([MelConfiguration.bands] + MelConfiguration.keys + [MelConfiguration.order]).within(
                    part: { $0.bank }, replace: { $0.method = .mel($1, deltas: $0.deltas) })
                    + DeltaConfiguration.keys.within(
                        part: { $0.deltas }, replace: { $0.method = .mel($0.bank ?? .standard, deltas: $1) })),
            variant(
                .mfcc(.standard), "Mel-frequency cepstral coefficients: the DCT-II of a bank's scaled bands.",
                CepstrumConfiguration.keys.within(part: { $0.cepstrum }, replace: { $0.method = .mfcc($1) })),
            variant(
                .lfcc(.linear), "As mfcc, of bands that are evenly spaced in Hz and have a peak of 1.",
                CepstrumConfiguration.linearKeys.within(part: { $0.cepstrum }, replace: { $0.method = .lfcc($1) })),
            variant(
                .musical(.standard),
                "Magnitudes of the real Fourier transform at points with the same number for every semitone.",
                MusicalConfiguration.keys.within(
                    part: { if case .musical(let musical) = $0.method { musical } else { nil } },
                    replace: { $0.method = .musical($1) })),
            variant(
                .raw, "The samples of a frame themselves, for scale.kind: linear and a rectangular window.", []),
        ])

    private static func variant(
        _ standard: Self, _ sentence: String, _ keys: [ConfigurationKey<Self>]
    ) -> SectionTable<Self>.Variant {
        let kind = standard.kind.rawValue
        return .init(
            kinds: [kind], definition: kind, sentence: sentence, keys: standard == .raw ? keys : keys + [engine]
        ) { _ in standard }
    }

    private static let engine = ConfigurationKey<Self>(
        "engine", { $1(&$0.engine) }, .choice, isAlwaysWritten: false,
        "What computes the transform: the program's own (lanes), whose bits are the same on every processor, or FFTW (fftw), in builds "
            + "that have it.")

    private static let bins = ValueFormat.whole(1...(.max), "null or a whole number from 1").orNull

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
        switch method {
        case .dct, .raw: break
        case .fft(let spectrum): try spectrum.validate()
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

extension TransformMethod.Kind {
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
        // The edges of bands are not those of a spectrum: as a picture of the signal it has all bins.
        if (self == .fft) != (other == .fft) { (kept["low"], kept["high"]) = (nil, nil) }
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
