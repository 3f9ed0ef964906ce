import FeatureModel

/// What became of a recording that was filtered.
package struct FilteringSummary: Sendable {
    /// Container and encoding of what was written, such as `WAV, signed 16 bit PCM`.
    package let format: String
    /// In Hz.
    package let sampleRate: Int
    /// Number of channels.
    package let channels: Int
    /// Samples in each channel.
    package let frames: Int
    /// The bins of the edges, out of 1024.
    package let bins: ClosedRange<Int>
    /// Samples, of all channels, that were beyond full scale and were cut to it.
    package let clippedSamples: Int
    /// What the recording lacked at its end; nil: nothing.
    package let cutOff: CutOff?
    /// Samples, of all channels, that were infinite or not a number and became 0.
    package let zeroedSamples: Int
    /// Names of the tags that the output's container has no room for.
    package let lostTags: [String]
}
