/// What reading a clip tells of its recording.
public struct ClipMeasurement: Hashable, Sendable {
    /// Sample rate of the recording in Hz.
    public let sampleRate: Int
    /// Channels of the recording.
    public let channels: Int
    /// Where the clip starts in its recording, in seconds.
    public let start: Double
    /// Length of the clip in seconds, by the samples read.
    public let duration: Double
    /// Whether the clip is shorter than it would be, had its recording not been cut off.
    public let isTruncated: Bool
    /// Whether the recording is cut off, but after the clip. Feature files do not store it.
    package let liesBeforeCut: Bool
    /// Samples, in all channels, that were not finite and became 0.
    public let zeroedSamples: Int

    /// Keeps the values of a clip that is not cut off and has no samples that became 0.
    public init(sampleRate: Int, channels: Int, start: Double, duration: Double) {
        self.init(sampleRate: sampleRate, channels: channels, start: start, duration: duration, isTruncated: false)
    }

    /// Keeps the values.
    package init(
        sampleRate: Int, channels: Int, start: Double, duration: Double, isTruncated: Bool, liesBeforeCut: Bool = false,
        zeroedSamples: Int = 0
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.start = start
        self.duration = duration
        self.isTruncated = isTruncated
        self.liesBeforeCut = liesBeforeCut
        self.zeroedSamples = zeroedSamples
    }
}
