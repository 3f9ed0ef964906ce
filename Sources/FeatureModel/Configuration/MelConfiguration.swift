/// A bank of triangular filters, evenly spaced on a mel scale.
public struct MelConfiguration: Hashable, Sendable {
    /// Number of bands. Default: 80.
    public let bins: Int
    /// Lower edge of the first band, in Hz. Default: 0.
    public let low: Double
    /// Upper edge of the last band, in Hz; nil: half the sample rate.
    public let high: Double?
    /// The mel formula.
    public let scale: MelScale
    /// How the triangles are scaled.
    public let norm: MelNormalization

    /// The most bands.
    public static let mostBins = 8192

    /// Checks and keeps the values; whether `high` lies below half the sample rate is checked when that is known.
    ///
    /// - Throws: `ConfigurationError` for a number of bands or an edge out of range.
    public init(
        bins: Int = 80, low: Double = 0, high: Double? = nil, scale: MelScale = .slaney,
        norm: MelNormalization = .slaney
    ) throws(ConfigurationError) {
        guard (1...Self.mostBins).contains(bins) else {
            throw .invalidValue(
                key: "transform.bins", found: "\(bins)", expected: "a whole number from 1 to \(Self.mostBins)")
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
        self.scale = scale
        self.norm = norm
    }
}
