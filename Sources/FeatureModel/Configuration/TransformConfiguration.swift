/// What each frame is turned into.
public enum TransformConfiguration: Hashable, Sendable {
    /// The first `bins` bins of the real Fourier transform, from 0 Hz up; nil: all, fft_length/2 + 1.
    case fft(bins: Int?)
    /// The first `bins` coefficients of the DCT-II, X[k] = Σ x[n] cos(πk(n + ½)/N), unscaled; nil: all, fft_length.
    case dct(bins: Int?)
    /// A mel filter bank over the power |X[k]|² of the real Fourier transform.
    case mel(MelConfiguration)

    /// The name in a configuration.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// See `TransformConfiguration.fft`.
        case fft
        /// See `TransformConfiguration.dct`.
        case dct
        /// See `TransformConfiguration.mel`.
        case mel
    }

    /// Which transform it is.
    public var kind: Kind {
        switch self {
        case .fft: .fft
        case .dct: .dct
        case .mel: .mel
        }
    }

    /// The number of values a frame becomes, for transforms of `fftLength` samples.
    ///
    /// - Throws: `ConfigurationError` where more are asked for than the transform has.
    public func bins(fftLength: Int) throws(ConfigurationError) -> Int {
        let (asked, most): (Int?, Int) =
            switch self {
            case .fft(let bins): (bins, fftLength / 2 + 1)
            case .dct(let bins): (bins, fftLength)
            case .mel(let mel): (mel.bins, MelConfiguration.mostBins)
            }
        guard let asked else { return most }
        guard (1...most).contains(asked) else {
            throw .invalidValue(
                key: "transform.bins", found: "\(asked)",
                expected: "null or 1 to \(most), what a transform of \(fftLength) samples has")
        }
        return asked
    }
}

extension TransformConfiguration: Codable {
    private static let melKeys = ["bins", "low", "high", "mel_scale", "mel_norm"]

    /// Reads the `transform` section; the other keys depend on `kind`.
    public init(from decoder: any Decoder) throws {
        let all = try SectionReader(decoder, keys: ["kind"] + Self.melKeys)
        let kind = try all.choice("kind", default: Kind.mel)
        if kind != .mel {
            for key in Self.melKeys.dropFirst() where all.mentions(key) {
                throw ConfigurationError.invalidValue(
                    key: all.name(of: key), found: "it beside kind: \(kind.rawValue)",
                    expected: "only kind and bins for this kind of transform")
            }
        }
        let range = "null or a whole number from 1"
        let bins: Int? = all.has("bins") ? try all.value("bins", default: 0, expected: range) : nil
        if let bins, bins < 1 { throw all.invalid("bins", expected: range) }
        switch kind {
        case .fft: self = .fft(bins: bins)
        case .dct: self = .dct(bins: bins)
        case .mel:
            let high: Double? =
                all.has("high")
                ? try all.number("high", default: 0, expected: "null or a frequency in Hz", where: { $0 > 0 }) : nil
            self = .mel(
                try MelConfiguration(
                    bins: bins ?? 80,
                    low: all.number("low", default: 0, expected: "a frequency in Hz from 0", where: { $0 >= 0 }),
                    high: high,
                    scale: all.choice("mel_scale", default: .slaney),
                    norm: all.choice("mel_norm", default: .slaney)))
        }
    }

    /// Writes the keys that this kind has.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        try container.encode(kind, forKey: AnyCodingKey("kind"))
        switch self {
        case .fft(let bins), .dct(let bins):
            try container.encode(bins, forKey: AnyCodingKey("bins"))
        case .mel(let mel):
            try container.encode(mel.bins, forKey: AnyCodingKey("bins"))
            try container.encode(mel.low, forKey: AnyCodingKey("low"))
            try container.encode(mel.high, forKey: AnyCodingKey("high"))
            try container.encode(mel.scale, forKey: AnyCodingKey("mel_scale"))
            try container.encode(mel.norm, forKey: AnyCodingKey("mel_norm"))
        }
    }
}

extension TransformConfiguration {
    /// What the values are, in words.
    public var longName: String {
        switch self {
        case .fft: "spectrogram (real FFT)"
        case .dct: "spectrogram (DCT-II)"
        case .mel: "mel spectrogram"
        }
    }
}
