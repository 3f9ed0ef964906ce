/// A bank of triangular filters, evenly spaced on a mel scale or in Hz.
public struct MelConfiguration: Hashable, Sendable {
    /// Number of bands.
    public private(set) var bins = 80
    /// Lower edge of the first band, in Hz.
    public private(set) var low = 0.0
    /// Upper edge of the last band, in Hz; nil: half the sample rate.
    public var high: Double? { upperEdge.value }
    private var upperEdge = RateFollowing<Double>.null
    /// What spaces the bands.
    public private(set) var scale = MelScale.slaney
    /// How the triangles are scaled.
    public private(set) var norm = MelNormalization.slaney
    /// On which axis the triangles' sides are straight.
    public private(set) var triangles = TriangleDomain.hertz
    /// What the bands are sums of.
    public private(set) var spectrum = SpectrumKind.power
    /// Which band is the first column; `ascending` for cepstra.
    public private(set) var order = BandOrder.ascending
    /// The sample rate in Hz that the bank is computed for; nil: that of the samples. At another one, a band is where the bank has it in
    /// bins of the transform, not in Hz.
    public private(set) var rate: Double?
    /// ε in √(|X|² + ε), 0 or more; for `magnitude` alone.
    public private(set) var epsilon = 0.0
    /// How the corners move with a speaker.
    public private(set) var warp = FrequencyWarp.none

    /// The accepted numbers of bands.
    public static let bandCounts = 1...8192

    /// A bank with the defaults of `transform.kind: mel`.
    public static let standard = MelConfiguration()

    /// The bands of cepstra, by default.
    static let ofCepstra = MelConfiguration(bands: 23, isLinear: false)
    /// The bands of linear-frequency cepstra, by default.
    static let ofLinearCepstra = MelConfiguration(bands: 23, isLinear: true)

    private init() {}

    private init(bands: Int, isLinear: Bool) {
        bins = bands
        if isLinear { (scale, norm) = (.linear, .none) }
    }

    /// Checks the values; `high` is checked against the sample rate once that is known.
    ///
    /// - Throws: `ConfigurationError` for a number of bands or an edge out of range.
    public init(
        bins: Int = standard.bins, low: Double = standard.low, high: Double? = standard.high,
        scale: MelScale = standard.scale, norm: MelNormalization = standard.norm,
        triangles: TriangleDomain = standard.triangles, spectrum: SpectrumKind = standard.spectrum,
        order: BandOrder = standard.order, rate: Double? = standard.rate, epsilon: Double = standard.epsilon,
        warp: FrequencyWarp = standard.warp
    ) throws(ConfigurationError) {
        (self.bins, self.low, self.scale, upperEdge) = (bins, low, scale, RateFollowing(high))
        (self.norm, self.triangles, self.spectrum, self.order) = (norm, triangles, spectrum, order)
        (self.rate, self.epsilon, self.warp) = (rate, epsilon, warp)
        try validate()
    }

    /// The bank at a sample rate in Hz, with a number for `half`; nil: the rate of the files, which is unknown: null.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> MelConfiguration {
        guard upperEdge.isFollowing else { return self }
        if let sampleRate { try check(at: sampleRate) }
        var resolved = self
        resolved.upperEdge = upperEdge.resolved(to: (rate ?? sampleRate).map { $0 / 2 })
        try resolved.validate()
        return resolved
    }

    /// Checks the edges against a sample rate in Hz.
    func check(at sampleRate: Double) throws(ConfigurationError) {
        let nyquist = (rate ?? sampleRate) / 2
        let name = rate == nil ? "the sample rate" : "transform.bank_rate"
        if let high, high > nyquist {
            throw .invalidValue(
                key: "transform.high", found: "\(high)", expected: "null or at most half \(name), \(nyquist) Hz")
        }
        try require(
            low < nyquist, "transform.low", found: "\(low)", expected: "less than half \(name), \(nyquist) Hz")
        try warp.check(from: low, to: high ?? nyquist, nyquist: nyquist)
    }
}

extension MelConfiguration {
    static let bands = ConfigurationKey<Self>(
        "bins", { $1(&$0.bins) }, .whole(bandCounts, isStrict: false), "Number of bands.")

    /// The keys that every bank has.
    private static let edges = [
        ConfigurationKey<Self>(
            "low", { $1(&$0.low) }, .frequency(0...(.infinity), "a frequency from 0 Hz, such as 20 or '20 Hz'"),
            unit: "Hz", "Lower edge of the first band."),
        ConfigurationKey<Self>(
            "high", { $1(&$0.upperEdge) },
            ValueFormat.frequency(
                0...(.infinity), isOpenBelow: true,
                "null, half (of the sample rate), or a frequency such as 7600 or '7.6 kHz'"
            ).orNull(orWord: "half"), unit: "Hz",
            "Upper edge of the last band, above low and at most half the sample rate. null: half the sample rate; half is "
                + "stored as a frequency."),
    ]
    private static let spectrum = ConfigurationKey<Self>(
        "spectrum", { $1(&$0.spectrum) }, .choice,
        "What the bands are sums of: |X|^2 (power), |X| (magnitude), or the real part of X with its sign (real).")
    private static let bankRate = ConfigurationKey<Self>(
        "bank_rate", { $1(&$0.rate) },
        ValueFormat.frequency(
            1...Double(AudioConfiguration.sampleRates.upperBound),
            "null or a frequency from 1 to \(AudioConfiguration.sampleRates.upperBound) Hz"
        ).orNull, unit: "Hz", isAlwaysWritten: false,
        "The sample rate that the bank is computed for, where a model was trained with a bank of another rate than its samples'; "
            + "null: the samples' own.")
    private static let epsilon = ConfigurationKey<Self>(
        "spectrum_epsilon", { $1(&$0.epsilon) }, .number(0...1, "a number from 0 to 1", readable: "a number"),
        isAlwaysWritten: false, "For spectrum magnitude: epsilon in sqrt(|X|^2 + epsilon).")
    /// The key of the order of bands that are the result.
    static let order = ConfigurationKey<Self>(
        "order", { $1(&$0.order) }, .choice,
        "Which band is the first column: the lowest (ascending) or the highest (descending).")

    /// The keys except the number of bands.
    static let keys =
        edges + [
            ConfigurationKey(
                "mel_scale", { $1(&$0.scale) }, .choice, "The formula from Hz to mel; linear is Hz itself."),
            ConfigurationKey(
                "mel_norm", { $1(&$0.norm) }, .choice, "How the triangles are scaled: peak 1 (none) or area 1 (slaney)."
            ),
            ConfigurationKey(
                "triangles", { $1(&$0.triangles) }, .choice,
                "On which axis the triangles' sides are straight; symmetric: in Hz, both as wide as the gap below the centre."
            ),
            spectrum, epsilon, bankRate,
        ] + FrequencyWarp.keys.within(part: { $0.warp }, replace: { $0.warp = $1 })
    /// The same for a bank spaced in Hz.
    static let linearKeys = edges + [spectrum, epsilon, bankRate]

    func validate() throws(ConfigurationError) {
        try ([Self.bands] + Self.keys + [Self.order]).check(self, in: TransformConfiguration.path)
        try warp.validate()
        try require(
            epsilon == 0 || spectrum == .magnitude, "transform.spectrum_epsilon",
            found: "\(epsilon.shortText) with transform.spectrum: \(spectrum.rawValue)",
            expected: "0, or transform.spectrum: magnitude")
        guard let high, high <= low else { return }
        throw .invalidValue(
            key: "transform.high", found: "\(high)", expected: "null or more than transform.low (\(low) Hz)")
    }
}

/// The formula that spaces the bands of a filter bank.
public enum MelScale: String, CaseIterable, Codable, Sendable {
    /// Slaney's Auditory Toolbox: linear below 1000 Hz, logarithmic above. librosa's default.
    case slaney
    /// 2595 · log₁₀(1 + f/700), as in HTK; Kaldi's 1127 · ln(1 + f/700) spaces the bands in the same way.
    case htk
    /// The frequency itself: bands evenly spaced in Hz.
    case linear
}

/// How the triangles of a mel filter bank are scaled.
public enum MelNormalization: String, CaseIterable, Codable, Sendable {
    /// Peak 1.
    case none
    /// Area 1: divided by half the width in Hz. librosa's default.
    case slaney
}

/// On which axis the sides of a filter bank's triangles are straight.
public enum TriangleDomain: String, CaseIterable, Codable, Sendable {
    /// In Hz, as in librosa and torchaudio.
    case hertz
    /// In mel, as in HTK and Kaldi.
    case mel
    /// In Hz, and both sides as wide as the gap below the band's centre, as in SpeechBrain.
    case symmetric
}

/// What of a spectrum a filter bank weighs.
public enum SpectrumKind: String, CaseIterable, Codable, Sendable {
    /// |X|²
    case power
    /// |X|
    case magnitude
    /// Re X, with its sign: the sum of a band is an amplitude, whose square is the band's power.
    case real
}

/// Which band of a filter bank is the first column.
public enum BandOrder: String, CaseIterable, Codable, Sendable {
    /// The lowest.
    case ascending
    /// The highest.
    case descending
}
