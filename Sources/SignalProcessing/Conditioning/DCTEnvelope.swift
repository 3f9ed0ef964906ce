import FeatureModel

/// What the bins of a page are multiplied by in a `DCTFilter`: 1 keeps a bin, 0 takes it away.
public struct DCTEnvelope: Hashable, Sendable {
    /// The factors of bins 0 … 1023; at a sample rate R, bin k stands for k · R/2048 Hz.
    public let values: [Float]

    /// The envelope of a band at a sample rate.
    ///
    /// - Parameter sampleRate: In Hz, more than 0.
    /// - Throws: `ConfigurationError` for edges that do not suit the rate.
    public init(_ configuration: DCTFilterConfiguration, sampleRate: Double) throws(ConfigurationError) {
        self.init(configuration.mode, bins: try configuration.bins(at: sampleRate))
    }

    /// The envelope of a band whose edges are given in bins.
    ///
    /// For a band-pass the straight lines through 0 at `low` − 2, 1 at `low`, 1 at `high` and 0 at `high` + 2; for a
    /// band-stop what that leaves of 1. An edge within two bins of an end of the spectrum has its slope cut off there, so
    /// a band-pass from 0 to 1024, or 1023, keeps everything.
    public init(_ mode: DCTFilterMode, bins: ClosedRange<Int>) {
        let (low, high) = (Float(bins.lowerBound), Float(bins.upperBound))
        values = (0..<DCTFilterConfiguration.pageLength).map { bin in
            let rise = (Float(bin) - (low - 2)) / 2
            let fall = (high + 2 - Float(bin)) / 2
            let pass = max(0, min(1, rise, fall))
            return mode == .bandPass ? pass : 1 - pass
        }
    }

    /// An envelope of any shape.
    ///
    /// - Parameter values: The factors of bins 0 … 1023; nil where there are more, fewer, or one is not finite.
    public init?(values: [Float]) {
        guard values.count == DCTFilterConfiguration.pageLength, values.allSatisfy(\.isFinite) else { return nil }
        self.values = values
    }
}
