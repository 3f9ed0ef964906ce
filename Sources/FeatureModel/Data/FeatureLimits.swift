/// Which recordings have most of their band above the features, where these are the default ones; and which clips are longer than the
/// features take.
///
/// It follows from the configuration and the recordings' sample rates and lengths alone: so it is the same however a run went, and
/// need not be stored. A configuration with another rate, band or scale was chosen by the user, and has no remarks on bands.
package struct FeatureLimits: Sendable {
    /// The highest sample rate, in Hz, of recordings that have at least half of their band in the features.
    private let highestRate: Double
    /// The longest clip that is taken whole, in seconds, by `audio.duration`.
    private let longest: Double
    /// How many rows of which frames are kept (`rows.count`); nil: all.
    private let rows: (count: Int, frame: FrameConfiguration)?
    /// The rate in Hz that recordings are brought to; nil: each keeps its own.
    private let rate: Int?

    package init(_ configuration: FeatureConfiguration) {
        longest = configuration.audio.duration ?? .infinity
        rows = configuration.rows.count.map { ($0, configuration.frame) }
        rate = configuration.audio.sampleRate
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
    package var isLimited: Bool { highestRate.isFinite || longest.isFinite || rows != nil }

    /// The remarks of a clip of `duration` seconds, of a recording at `sampleRate` Hz.
    package func remarks(sampleRate: Int, duration: Double) -> RecordingRemarks {
        var remarks: RecordingRemarks = Double(sampleRate) > highestRate ? .bandsAbove : []
        // Of a sample less than half is not a loss.
        let taken = min(longest, span(at: Double(rate ?? sampleRate)))
        if duration - taken > 0.5 / Double(max(sampleRate, 1)) { remarks.insert(.clipsShortened) }
        return remarks
    }

    /// The seconds that `rows.count` rows span at a sample rate in Hz; infinite: it is not set, or there are no frames at it.
    private func span(at sampleRate: Double) -> Double {
        guard let rows, sampleRate > 0, let geometry = try? rows.frame.geometry(at: sampleRate) else {
            return .infinity
        }
        let (length, hop) = (Double(geometry.length), Double(geometry.hop))
        // Of frames that start in the signal and do not end in it, the last may have up to half a hop more.
        let rest = rows.frame.align == .start && !rows.frame.padEnd ? length : hop / 2
        return (Double(rows.count) * hop + rest) / sampleRate
    }
}
