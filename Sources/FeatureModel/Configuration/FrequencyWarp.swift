/// Vocal tract length normalisation: the corners of a filter bank, moved by a factor that a speaker has (Lee and Rose 1998; Kaldi's
/// piecewise linear form, whose ends do not move).
///
/// F(f) = f/α from l = `low` · max(1, α) to h = `high` · min(1, α), straight from there to F(f) = f at the bank's edges.
public struct FrequencyWarp: Hashable, Sendable {
    /// α; nil: corners do not move.
    public private(set) var factor: Double?
    /// The lower cutoff, in Hz, above the bank's lower edge.
    public private(set) var low = 100.0
    /// The upper cutoff, in Hz, below the bank's upper edge; nil: 500 Hz below half the sample rate.
    public private(set) var high: Double?

    /// The accepted factors: those of speakers are from 0.8 to 1.25.
    public static let factors = 0.25...4.0
    /// What `high` is below half the sample rate by default, in Hz.
    private static let distance = 500.0

    /// No change, which is the default.
    public static let none = FrequencyWarp()

    private init() {}

    /// Checks the values; cutoffs are checked against the bank's edges once these are known.
    ///
    /// - Throws: `ConfigurationError` for a factor or a cutoff out of range, or cutoffs without a factor.
    public init(factor: Double?, low: Double = none.low, high: Double? = none.high) throws(ConfigurationError) {
        (self.factor, self.low, self.high) = (factor, low, high)
        try validate()
    }

    /// The pieces for a bank with the given edges in Hz; nil: nothing moves.
    ///
    /// - Parameters:
    ///   - low: The bank's lower edge in Hz.
    ///   - high: Its upper edge in Hz.
    ///   - nyquist: Half the bank's sample rate, in Hz.
    public func pieces(from low: Double, to high: Double, nyquist: Double) -> Pieces? {
        factor.map {
            Pieces(factor: $0, low: low, high: high, cutoffs: (self.low, self.high ?? nyquist - Self.distance))
        }
    }

    /// The warp of a bank whose edges are known: three straight pieces.
    public struct Pieces: Sendable {
        private let factor: Double
        private let low: Double
        private let high: Double
        /// Where the pieces meet, in Hz.
        fileprivate let first: Double
        fileprivate let second: Double

        fileprivate init(factor: Double, low: Double, high: Double, cutoffs: (low: Double, high: Double)) {
            (self.factor, self.low, self.high) = (factor, low, high)
            (first, second) = (cutoffs.low * max(1, factor), cutoffs.high * min(1, factor))
        }

        /// Where a frequency in Hz goes. Rising; outside the bank's edges, frequencies do not change.
        public func callAsFunction(_ frequency: Double) -> Double {
            if frequency <= low || frequency >= high { return frequency }
            if frequency < first { return low + (first / factor - low) / (first - low) * (frequency - low) }
            if frequency < second { return frequency / factor }
            return high + (high - second / factor) / (high - second) * (frequency - high)
        }
    }
}

extension FrequencyWarp {
    static let keys = [
        ConfigurationKey<Self>(
            "vtln_warp", { $1(&$0.factor) },
            ValueFormat.number(
                factors, "null or a number from \(factors.lowerBound.shortText) to \(Int(factors.upperBound))"
            ).orNull, isAlwaysWritten: false,
            "Vocal tract length normalisation: the corners of the bands move to 1/vtln_warp of their frequency, as "
                + "in Kaldi; null: they do not move."),
        ConfigurationKey(
            "vtln_low", { $1(&$0.low) },
            .frequency(0...(.infinity), isOpenBelow: true, "a frequency above 0 Hz, such as 100 or '100 Hz'"),
            unit: "Hz", isAlwaysWritten: false,
            "With vtln_warp: below this frequency times max(1, vtln_warp), corners move less the nearer they are to "
                + "low, which does not move."
        ),
        ConfigurationKey(
            "vtln_high", { $1(&$0.high) },
            ValueFormat.frequency(0...(.infinity), isOpenBelow: true, "null or a frequency such as 7500 or '7.5 kHz'")
                .orNull, unit: "Hz", isAlwaysWritten: false,
            "With vtln_warp: above this frequency times min(1, vtln_warp), corners move less the nearer they are to "
                + "high, which does not move. null: 500 Hz below half the sample rate."),
    ]

    func validate() throws(ConfigurationError) {
        try Self.keys.check(self, in: TransformConfiguration.path)
        guard factor == nil else { return }
        try require(
            low == Self.none.low, "transform.vtln_low", found: "\(low.shortText) without transform.vtln_warp",
            expected: "\(Self.none.low.shortText), or transform.vtln_warp")
        try require(
            high == nil, "transform.vtln_high", found: "\(high?.shortText ?? "null") without transform.vtln_warp",
            expected: "null, or transform.vtln_warp")
    }

    /// Checks the cutoffs against a bank's edges in Hz.
    func check(from low: Double, to high: Double, nyquist: Double) throws(ConfigurationError) {
        guard let pieces = pieces(from: low, to: high, nyquist: nyquist) else { return }
        let upper = self.high ?? nyquist - Self.distance
        try require(
            self.low > low && self.low < upper, "transform.vtln_low", found: self.low.shortText,
            expected:
                "more than transform.low (\(low.shortText) Hz), and less than transform.vtln_high (\(upper.shortText) Hz)"
        )
        try require(
            upper < high, "transform.vtln_high", found: upper.shortText,
            expected: "less than the upper edge of the bands, \(high.shortText) Hz")
        try require(
            pieces.first < pieces.second, "transform.vtln_warp", found: factor?.shortText ?? "null",
            expected: "a factor that leaves frequencies between transform.vtln_low and transform.vtln_high")
    }
}
