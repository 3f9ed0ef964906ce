/// A bank of triangular filters, evenly spaced on a mel scale or in Hz.
public struct MelConfiguration: Hashable, Sendable {
    /// Number of bands. Default: 80.
    public let bins: Int
    /// Lower edge of the first band, in Hz. Default: 0.
    public let low: Double
    /// Upper edge of the last band, in Hz; nil: half the sample rate.
    public let high: Double?
    /// Whether a `high` of nil becomes a number of Hz as soon as the sample rate is known: `half` in a configuration.
    let resolvesHigh: Bool
    /// What spaces the bands.
    public let scale: MelScale
    /// How the triangles are scaled.
    public let norm: MelNormalization
    /// On which axis the triangles' sides are straight.
    public let triangles: TriangleDomain
    /// What the bands are sums of.
    public let spectrum: SpectrumKind

    /// The most bands.
    public static let mostBins = 8192

    /// Checks and keeps the values; whether `high` lies below half the sample rate is checked when that is known.
    ///
    /// - Parameter key: The configuration's name of the number of bands, for errors.
    /// - Throws: `ConfigurationError` for a number of bands or an edge out of range.
    public init(
        bins: Int = 80, low: Double = 0, high: Double? = nil, scale: MelScale = .slaney,
        norm: MelNormalization = .slaney, triangles: TriangleDomain = .hertz, spectrum: SpectrumKind = .power,
        key: String = "transform.bins"
    ) throws(ConfigurationError) {
        try self.init(
            bins: bins, low: low, high: high, resolvesHigh: false, scale: scale, norm: norm, triangles: triangles,
            spectrum: spectrum, key: key)
    }

    /// The same, with an upper edge that may be half of a rate that is not known yet.
    init(
        bins: Int, low: Double = 0, high: Double? = nil, resolvesHigh: Bool, scale: MelScale = .slaney,
        norm: MelNormalization = .slaney, triangles: TriangleDomain = .hertz, spectrum: SpectrumKind = .power,
        key: String = "transform.bins"
    ) throws(ConfigurationError) {
        guard (1...Self.mostBins).contains(bins) else {
            throw .invalidValue(key: key, found: "\(bins)", expected: "a whole number from 1 to \(Self.mostBins)")
        }
        guard low.isFinite, low >= 0 else {
            throw .invalidValue(key: "transform.low", found: "\(low)", expected: "0 Hz or more")
        }
        if let high, !(high.isFinite && high > low) {
            throw .invalidValue(
                key: "transform.high", found: "\(high)", expected: "null or more than transform.low (\(low) Hz)")
        }
        self.bins = bins
        self.low = low
        self.high = high
        self.resolvesHigh = resolvesHigh
        self.scale = scale
        self.norm = norm
        self.triangles = triangles
        self.spectrum = spectrum
    }

    /// The bank at a sample rate in Hz, with `half` as a number; nil: the files' own, which is not known: null.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> MelConfiguration {
        guard resolvesHigh else { return self }
        if let sampleRate { try check(at: sampleRate) }
        return try MelConfiguration(
            bins: bins, low: low, high: sampleRate.map { $0 / 2 }, scale: scale, norm: norm, triangles: triangles,
            spectrum: spectrum)
    }

    /// Checks the edges against a sample rate in Hz.
    func check(at sampleRate: Double) throws(ConfigurationError) {
        let nyquist = sampleRate / 2
        if let high, high > nyquist {
            throw .invalidValue(
                key: "transform.high", found: "\(high)",
                expected: "null or at most half the sample rate, \(nyquist) Hz")
        }
        guard low < nyquist else {
            throw .invalidValue(
                key: "transform.low", found: "\(low)", expected: "less than half the sample rate, \(nyquist) Hz")
        }
    }
}

extension MelConfiguration {
    /// An upper edge of half the sample rate, which is stored as the frequency that it comes to.
    static let half = "half"
    /// The keys besides the number of bands.
    static let keys = ["low", "high", "mel_scale", "mel_norm", "triangles", "spectrum"]
    /// Those of a bank that is spaced in Hz.
    static let linearKeys = ["low", "high", "spectrum"]

    /// Reads the keys that a filter bank has among others in its section.
    ///
    /// - Parameters:
    ///   - section: The transform.
    ///   - bands: The key of the number of bands.
    ///   - fallback: That number where the key is missing.
    ///   - isLinear: Whether the bands are spaced in Hz, so that the keys of the mel scale are not there.
    init(_ section: SectionReader, bands: String, default fallback: Int, isLinear: Bool = false) throws {
        let isHalf = section.isWord(Self.half, at: "high")
        let high: Double? =
            section.has("high") && !isHalf
            ? try section.frequency(
                "high", default: 0,
                expected: "null, \(Self.half) (of the sample rate), or a frequency such as 7600 or '7.6 kHz'",
                where: { $0 > 0 }) : nil
        try self.init(
            bins: section.value(bands, default: fallback, expected: "a whole number from 1"),
            low: section.frequency(
                "low", default: 0, expected: "a frequency from 0 Hz, such as 20 or '20 Hz'", where: { $0 >= 0 }),
            high: high, resolvesHigh: isHalf,
            scale: isLinear ? .linear : section.choice("mel_scale", default: .slaney),
            norm: isLinear ? .none : section.choice("mel_norm", default: .slaney),
            triangles: isLinear ? .hertz : section.choice("triangles", default: .hertz),
            spectrum: section.choice("spectrum", default: .power), key: "transform.\(bands)")
    }

    /// Writes the keys besides the number of bands.
    func encode(to container: inout KeyedEncodingContainer<AnyCodingKey>, isLinear: Bool = false) throws {
        try container.encode(low, forKey: AnyCodingKey("low"))
        if resolvesHigh {
            try container.encode(Self.half, forKey: AnyCodingKey("high"))
        } else {
            try container.encode(high, forKey: AnyCodingKey("high"))
        }
        if !isLinear {
            try container.encode(scale, forKey: AnyCodingKey("mel_scale"))
            try container.encode(norm, forKey: AnyCodingKey("mel_norm"))
            try container.encode(triangles, forKey: AnyCodingKey("triangles"))
        }
        try container.encode(spectrum, forKey: AnyCodingKey("spectrum"))
    }
}
