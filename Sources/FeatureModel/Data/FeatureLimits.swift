/// Which recordings have most of their band above the features, where these are the default ones; and which clips are longer than the
/// features take.
///
/// It follows from the configuration and the recordings' sample rates and lengths alone: so it is the same however a run went, and
/// need not be stored. A configuration with another rate, band or scale was chosen by the user, and has no remarks on bands.
package struct FeatureLimits: Sendable {
    /// The highest sample rate, in Hz, of recordings that have at least half of their band in the features.
    private let highestRate: Double
    /// The longest clip that is taken whole, in seconds: `audio.duration`, or as much as `rows.count` rows span.
    private let longest: Double

    package init(_ configuration: FeatureConfiguration) {
        let frame = configuration.frame
        var longest = configuration.audio.duration ?? .infinity
        if let rate = configuration.audio.sampleRate, let count = configuration.rows.count,
            case .samples(let length) = frame.length, case .samples(let hop) = frame.hop
        {
            // Of frames that start in the signal and do not end in it, the last may have up to half a hop more.
            let rest = frame.align == .start && !frame.padEnd ? Double(length) : Double(hop) / 2
            longest = min(longest, (Double(count) * Double(hop) + rest) / Double(rate))
        }
        self.longest = longest
        let standard = MelConfiguration.standard
        guard let rate = AudioConfiguration.standard.sampleRate, configuration.audio.sampleRate == rate,
            configuration.scale == .standard, case .mel(let mel, _) = configuration.transform.method,
            let high = mel.high,
            high == Double(rate) / 2, mel.low == standard.low, mel.scale == standard.scale,
            mel.norm == standard.norm, mel.triangles == standard.triangles, mel.spectrum == standard.spectrum
        else {
            highestRate = .infinity
            return
        }
        highestRate = 4 * high
    }

    /// Whether a recording can have remarks.
    package var isLimited: Bool { highestRate.isFinite || longest.isFinite }

    /// The remarks of a clip of `duration` seconds, of a recording at `sampleRate` Hz.
    package func remarks(sampleRate: Int, duration: Double) -> RecordingRemarks {
        var remarks: RecordingRemarks = Double(sampleRate) > highestRate ? .bandsAbove : []
        // Of a sample less than half is not a loss.
        if duration - longest > 0.5 / Double(max(sampleRate, 1)) { remarks.insert(.clipsShortened) }
        return remarks
    }
}
