/// The figures of a stored clip.
public struct ClipFigures: Hashable, Sendable {
    /// Place of the label in the file's list of labels; −1: no label.
    public let labelIndex: Int
    /// Split; empty: none.
    public let split: String
    /// Length in seconds.
    public let duration: Double
    /// Rate of the recording in Hz.
    public let sampleRate: Int
    /// Channels of the recording.
    public let channels: Int
    /// Number of rows.
    public let frameCount: Int
    /// Whether the clip is shorter than it would be, had its recording not been cut off.
    public var isTruncated = false
    /// Samples, in all channels, that were no finite numbers and became 0.
    public var zeroedSamples = 0
}
