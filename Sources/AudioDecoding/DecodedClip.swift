/// What was found of a clip while it was read.
package struct DecodedClip: Hashable, Sendable {
    /// Rate of the file in Hz.
    package let sampleRate: Int
    /// Channels of the file.
    package let channels: Int
    /// Where the clip begins in the file, in seconds.
    package let start: Double
    /// Length of the clip in seconds, by the samples read.
    package let duration: Double
}
