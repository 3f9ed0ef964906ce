/// Which recordings have most of their band above the features, where these are the default ones.
///
/// It follows from the configuration and the recordings' sample rates alone: so it is the same however a run went, and need not
/// be stored. A configuration with another rate, band or scale was chosen by the user, and has no remarks.
package struct FeatureBand: Sendable {
    /// The highest sample rate, in Hz, of recordings that have at least half of their band in the features.
    private let highestRate: Double

    package init(_ configuration: FeatureConfiguration) {
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
    package var isLimited: Bool { highestRate.isFinite }

    /// The remarks of a recording at `sampleRate` Hz.
    package func remarks(sampleRate: Int) -> RecordingRemarks {
        Double(sampleRate) > highestRate ? .bandsAbove : []
    }
}
