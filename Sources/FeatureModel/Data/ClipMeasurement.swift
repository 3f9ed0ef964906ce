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
    /// Samples, in all channels, that were not finite and became 0.
    public let zeroedSamples: Int
    /// In what the recording is not what the manifest or the format leads one to expect: the stored ones.
    package var remarks: RecordingRemarks

    /// Keeps the values of a clip that is not cut off and has no samples that became 0.
    public init(sampleRate: Int, channels: Int, start: Double, duration: Double) {
        self.init(sampleRate: sampleRate, channels: channels, start: start, duration: duration, isTruncated: false)
    }

    package init(
        sampleRate: Int, channels: Int, start: Double, duration: Double, isTruncated: Bool,
        zeroedSamples: Int = 0, remarks: RecordingRemarks = []
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.start = start
        self.duration = duration
        self.isTruncated = isTruncated
        self.zeroedSamples = zeroedSamples
        self.remarks = remarks
    }

    /// All that an account says of the clip's recording, and of what features with `band` have of it; nil: there are no features.
    package func allRemarks(_ band: FeatureBand?) -> RecordingRemarks {
        var all = remarks.stored
        if isTruncated { all.insert(.recordingsTruncated) }
        if zeroedSamples > 0 { all.insert(.samplesZeroed) }
        if let band { all.formUnion(band.remarks(sampleRate: sampleRate)) }
        return all
    }
}

/// How to treat recordings that are cut off or hold non-finite samples. By default their clips fail.
package struct RecordingPolicy: Hashable, Sendable {
    /// How to treat a clip that reaches past a cut.
    package enum Truncated: String, CaseIterable, Sendable {
        /// It fails.
        case fail
        /// Its present part is used.
        case keep
    }

    /// How to treat samples that are infinite or NaN.
    package enum NonFinite: String, CaseIterable, Sendable {
        /// Their clip fails.
        case fail
        /// They become 0.
        case zero
    }

    package var truncated = Truncated.fail
    package var nonFinite = NonFinite.fail

    package init(truncated: Truncated = .fail, nonFinite: NonFinite = .fail) {
        self.truncated = truncated
        self.nonFinite = nonFinite
    }
}
