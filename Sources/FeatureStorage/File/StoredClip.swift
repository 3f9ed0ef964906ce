/// A row of `/clips`.
public struct StoredClip: Hashable, Sendable {
    /// Unique name.
    public let id: String
    /// Path of the recording, as the manifest gives it.
    public let path: String
    /// Label; empty: none.
    public let label: String
    /// Split; empty: none.
    public let split: String
    /// Place of the label in the file's list of labels; −1: no label.
    public let labelIndex: Int
    /// Where the clip begins in its recording, in seconds.
    public let start: Double
    /// Length in seconds.
    public let duration: Double
    /// Rate of the recording in Hz.
    public let sampleRate: Int
    /// Channels of the recording.
    public let channels: Int
    /// The channel, from 0, that the manifest named for the clip; nil: as configured.
    public let channel: Int?
    /// First row in `/features`.
    public let frameStart: Int
    /// Number of rows.
    public let frameCount: Int
    /// XXH3-128 of the decoded samples, hexadecimal.
    public let audioChecksum: String
    /// XXH3-128 of the stored rows, hexadecimal.
    public let tensorChecksum: String
    /// The manifest's other columns, in the file's order.
    public let extra: [String]
    /// Whether the clip is shorter than it would be, had its recording not been cut off.
    public let isTruncated: Bool
    /// Samples, in all channels, that were no finite numbers and became 0.
    public let zeroedSamples: Int

    /// Keeps the values.
    public init(
        id: String, path: String, label: String, split: String, labelIndex: Int, start: Double, duration: Double,
        sampleRate: Int, channels: Int, channel: Int? = nil, frameStart: Int, frameCount: Int, audioChecksum: String,
        tensorChecksum: String, extra: [String], isTruncated: Bool = false, zeroedSamples: Int = 0
    ) {
        self.id = id
        self.path = path
        self.label = label
        self.split = split
        self.labelIndex = labelIndex
        self.start = start
        self.duration = duration
        self.sampleRate = sampleRate
        self.channels = channels
        self.channel = channel
        self.frameStart = frameStart
        self.frameCount = frameCount
        self.audioChecksum = audioChecksum
        self.tensorChecksum = tensorChecksum
        self.extra = extra
        self.isTruncated = isTruncated
        self.zeroedSamples = zeroedSamples
    }
}
