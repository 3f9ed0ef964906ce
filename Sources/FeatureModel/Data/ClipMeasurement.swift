/// What is known of a clip's recording once the clip was read.
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
    /// How the recording differs from what the manifest or the format leads one to expect: the remarks that are stored.
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

    /// All remarks on the clip's recording.
    ///
    /// - Parameters:
    ///   - limits: What features have of its band, length and channels; nil: there are no features.
    ///   - channel: The channel that the clip names; nil: none.
    ///   - edge: The upper edge of its annotation in Hz; nil: it has none.
    package func allRemarks(_ limits: FeatureLimits?, channel: Int? = nil, edge: Double? = nil) -> RecordingRemarks {
        var all = remarks.stored
        if isTruncated { all.insert(.recordingsTruncated) }
        if zeroedSamples > 0 { all.insert(.samplesZeroed) }
        if let limits {
            all.formUnion(
                limits.remarks(
                    sampleRate: sampleRate, duration: duration, channels: channels, channel: channel, edge: edge))
        }
        return all
    }

    /// The same of a clip of a manifest.
    package func allRemarks(_ limits: FeatureLimits?, of clip: Clip) -> RecordingRemarks {
        allRemarks(limits, channel: clip.channel, edge: limits?.edge(of: clip))
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

/// How much is left of a recording that is cut off.
///
/// Every sign of a cut (size of the sample data, end of a FLAC stream, Ogg pages) becomes this type, so that all are
/// reported, and kept with `--truncated keep`, in the same way.
public struct CutOff: Hashable, Sendable {
    /// Length in seconds that the header promises; nil: the header gives none.
    public let promised: Double?
    /// Present length in seconds; nil: known only after decoding.
    public let present: Double?
    /// Whether what is present was to be kept, and not one sample of it can be read.
    public private(set) var isUnreadable = false

    /// Keeps the values.
    public init(promised: Double?, present: Double?) {
        self.promised = promised
        self.present = present
    }

    /// The same, after what is present could not be read.
    public var withoutSamples: CutOff {
        var cut = self
        cut.isUnreadable = true
        return cut
    }

    /// `cut off: the header promises 13.91 s, 8.00 s are there`
    public var reason: String {
        guard !isUnreadable else {
            let promise = promised.map { "the header promises \(Self.text($0, digits: 2)) s" }
            let sign = promise ?? "the end of the stream is missing"
            return "cut off: \(sign), nothing can be read"
        }
        switch (promised, present) {
        case (let promised?, let present?):
            // Enough digits to tell the two apart: a cut may be a single sample.
            let digits = (2...6).first { Self.text(promised, digits: $0) != Self.text(present, digits: $0) } ?? 6
            return "cut off: the header promises \(Self.text(promised, digits: digits)) s, "
                + "\(Self.text(present, digits: digits)) s are there"
        case (let promised?, nil):
            return "cut off: the header promises \(Self.text(promised, digits: 2)) s, and less is there"
        case (nil, let present?):
            return "cut off: the end of the stream is missing, \(Self.text(present, digits: 2)) s are there"
        case (nil, nil): return "cut off: the end of the stream is missing"
        }
    }

    private static func text(_ seconds: Double, digits: Int) -> String {
        var unit = 1
        for _ in 0..<digits { unit *= 10 }
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "\(seconds)" }
        let units = Int((seconds * Double(unit)).rounded())
        return "\(units / unit)." + (units % unit).padded(to: digits)
    }
}
