import FeatureModel

/// The frames of the picture of a recording where no preset is asked for.
///
/// 25 ms show speech and song, but at 250 Hz they are six samples, too few to tell a call of 20 Hz from one of 40 Hz, and at 384 kHz
/// they smear a call of 5 ms to six times its length. From 8 to 48 kHz they are 25 ms, and outside as many samples as at these rates.
enum PictureFrames {
    private static let seconds = 0.025
    /// Samples in 25 ms at 8 and at 48 kHz.
    private static let samples = 200...1200
    /// A short recording at a low rate still has this many frames, end to end.
    private static let fewestFrames = 4
    /// Hops in a frame.
    private static let overlap = 5

    /// The length of a frame, in samples.
    ///
    /// - Parameters:
    ///   - sampleRate: The rate of the samples that are framed, in Hz.
    ///   - duration: The duration of the recording, in seconds.
    static func length(sampleRate: Double, duration: Double) -> Int {
        let usual = Int(min((seconds * sampleRate).rounded(), Double(samples.upperBound)))
        let available = Int(min(duration * sampleRate, Double(samples.upperBound * fewestFrames))) / fewestFrames
        return max(usual, min(samples.lowerBound, available), 1)
    }

    /// The configuration with frames for the picture of a recording: as it is at usual rates.
    ///
    /// - Parameter keepsHop: Whether the distance of frames was chosen.
    static func configuration(
        _ configuration: FeatureConfiguration, for recording: ClipMeasurement, keepsHop: Bool
    ) throws -> FeatureConfiguration {
        let rate = Double(configuration.audio.sampleRate ?? recording.sampleRate)
        let length = length(sampleRate: rate, duration: recording.duration)
        guard length != Int((seconds * rate).rounded()) else { return configuration }
        let frame = configuration.frame
        return try configuration.with(
            frame: frame.with(
                length: .samples(length), hop: keepsHop ? frame.hop : .samples(max(length / overlap, 1)),
                fftLength: nil))
    }
}
