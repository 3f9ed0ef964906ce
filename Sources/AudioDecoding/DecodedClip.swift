import FeatureModel

/// What was found of a clip while it was read.
package struct DecodedClip: Hashable, Sendable {
    /// Rate of the file in Hz.
    package let sampleRate: Int
    /// Channels of the file.
    package let channels: Int
    /// Start of the clip in the file in seconds.
    package let start: Double
    /// Length of the clip in seconds, by the samples read.
    package let duration: Double
    /// What is missing at the end of the recording, as far as its header tells; nil: nothing. The clip may lie before it.
    package var cutOff: CutOff?
    /// Whether the clip is shorter than it would be, had the recording not been cut off.
    package var isTruncated = false
    /// Samples, in all channels, that were no finite numbers and became 0.
    package var zeroedSamples = 0
}
