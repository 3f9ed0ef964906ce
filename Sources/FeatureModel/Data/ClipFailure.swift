/// Why a clip has no features: what was expected, what was found, and where.
///
/// The case decides everything: its `kind`, by which failures are grouped and stored, the `stage`, whether to try
/// the clip again. The sentence for a person is made in `ClipFailure+Reason.swift` and never parsed.
public enum ClipFailure: Error, Hashable, Sendable {
    /// The system cannot open the file.
    case cannotOpen(SystemCallError)
    /// The recording is a member of an archive, and the archive or the member cannot be read: the reason in words, and the system's
    /// error where there was one.
    case cannotOpenMember(String, archive: String, words: String, SystemCallError?)
    /// A folder has the recording's name.
    case isFolder
    /// A pipe, socket or device has the recording's name.
    case isNotRegularFile
    /// The file has no bytes.
    case isEmptyFile
    /// libsndfile cannot open the file: its words, and the system's error where there was one.
    case notDecodable(words: String, SystemCallError?)
    /// The file is another one with the name of a recording.
    case foreign(ForeignContent)
    /// libsndfile cannot open the file, and ffmpeg could, but is not used: the format by the file's first bytes, and why not.
    case needsFFmpeg(format: String, FFmpegObstacle)
    /// The header gives a recording without channels, or a rate that is not positive.
    case invalidHeader(channels: Int, sampleRate: Int)
    /// The file's header is repeated in place of samples.
    case headerRepeated
    /// The header lacks the length of the recording, which its format requires; `bytes` of samples follow it.
    case lengthNotStated(bytes: Int)
    /// Header and frames of a FLAC give different rates in Hz.
    case rateContradicted(header: Int, frames: Int)
    /// Header and frames of a FLAC give different numbers of samples, more in the frames.
    case lengthContradicted(header: Int, frames: Int)

    /// The system cannot read the file once it is open.
    case cannotRead(SystemCallError)
    /// The decoder cannot seek to a frame: its words.
    case cannotSeek(frame: Int, words: String)
    /// The recording ends before a frame that it should have.
    case endsBefore(frame: Int, end: Int)
    /// Another recording took the file's name while it was read.
    case replaced
    /// The header promises more samples than were decoded.
    case missingSamples(promised: Int, found: Int)
    /// ffmpeg cannot decode the recording: its words.
    case ffmpegFailed(words: String)
    /// The recording is damaged near a frame.
    case damaged(frame: Int, Damage)
    /// Several recordings follow one another in an Ogg file.
    case chainedOgg
    /// After so many samples of a stream, one of another rate, with other channels, or of another layer follows.
    case otherStreamFollows(frame: Int, StreamFormat, StreamFormat)
    /// After so many samples, another recording with a header of its own follows in the same file; nil: not known.
    case recordingFollows(frame: Int?)
    /// The recording is cut off before the clip's end.
    case cutOff(CutOff)
    /// A sample is infinite or not a number.
    case nonFiniteSample(SampleValue, frame: Int)
    /// The recording has no samples.
    case noSamples
    /// The segment starts at or after the recording's end; both in seconds.
    case segmentStartsLate(start: Double, length: Double, likely: OtherTimeUnit? = nil)
    /// The segment ends after the recording's end; both in seconds. `end` is nil where the length was known only after decoding.
    case segmentEndsLate(end: Double?, length: Double, likely: OtherTimeUnit? = nil)
    /// The segment is shorter than a sample.
    case segmentWithoutSamples(seconds: Double, sampleRate: Int)
    /// The manifest gives the recording another rate, in Hz.
    case declaredRate(declared: Int, found: Int)
    /// The manifest gives the recording another length, in seconds.
    case declaredLength(declared: Double, found: Double)
    /// The clip was corrected when it had other samples: their checksums.
    case otherSamples(expected: String, found: String)
    /// A live recording was interrupted before its first sample.
    case interrupted
    /// The caller stopped the read. Never stored.
    case stopped

    /// The recording has too few channels; `channel` counts from 0.
    case noSuchChannel(channel: Int, channels: Int)
    /// The rate differs from that of the first recording, and none is configured; in Hz.
    case otherRate(expected: Int, found: Int, than: FirstRecording)
    /// All channels are analysed, and the recording has another number of them than the first one.
    case otherChannels(expected: Int, found: Int)
    /// Two rates, in Hz, are more than a factor of 1000 apart.
    case ratesTooFarApart(input: Int, output: Int)
    /// Two rates, in Hz, that a resampler refuses, or a signal that it makes no sample of: why, in words.
    case cannotResample(input: Int, output: Int, words: String)
    /// A stream's rate in Hz is outside the allowed range.
    case rateOutOfRange(Int, allowed: ClosedRange<Int>)
    /// A stream has no channels.
    case noChannels(Int)
    /// Filtered samples exceed single precision.
    case filterOverflow

    /// Powers of the clip exceed single precision.
    case nonFiniteFeatures
    /// The clip has fewer samples than a frame.
    case tooShort(minimum: Int, sampleRate: Int, found: Int)

    /// The clip has more frames than a file can count.
    case tooManyFrames(Int)
    /// A value exceeds the stored type.
    case valueOutOfRange(limit: Int, found: Float, bin: Int, isNormalized: Bool)
    /// The stored type cannot hold the clip; which value is no longer known.
    case rejected

    /// What is wrong with a damaged recording.
    public enum Damage: Hashable, Sendable {
        /// The decoder's words.
        case decoder(String)
        /// Frames of a FLAC are damaged or missing.
        case flacFrames
        /// An Ogg page is damaged; nil: its number is not known.
        case oggPage(UInt32?)
        /// Ogg pages are missing.
        case oggSequence(expected: UInt32, found: UInt32)
    }

    /// What cannot change within a stream of MPEG audio.
    public struct StreamFormat: Hashable, Sendable {
        /// In Hz.
        public let sampleRate: Int
        /// Number of channels.
        public let channels: Int
        /// The layer: 3 for MP3.
        public let layer: Int

        /// Keeps the values.
        public init(sampleRate: Int, channels: Int, layer: Int) {
            (self.sampleRate, self.channels, self.layer) = (sampleRate, channels, layer)
        }
    }

    /// What a file contains that has the name of a recording and is not one.
    public enum ForeignContent: Hashable, Sendable {
        /// What Git LFS leaves instead of a file that was not fetched.
        case gitLFSPointer
        /// A text, such as a web page: its first line, shortened.
        case text(String)
        /// SPHERE (NIST) whose samples are compressed, such as by shorten: the `sample_coding` of its header.
        case compressedSphere(coding: String)
    }

    /// Why ffmpeg is not used to decode a recording.
    public enum FFmpegObstacle: Hashable, Sendable {
        /// It is not installed.
        case notInstalled
        /// `--no-ffmpeg` was given.
        case turnedOff
        /// The file has the name of another format.
        case otherName
        /// ffmpeg would have to seek in a member of an archive.
        case inArchive
    }

    /// Which recording set the rate.
    public enum FirstRecording: Hashable, Sendable {
        /// The first clip of a manifest.
        case clip
        /// The first live input.
        case input
    }

    /// A sample by its bits, so that two NaNs can be equal.
    public struct SampleValue: Hashable, Sendable {
        private let bitPattern: UInt32

        /// Keeps the value.
        public init(_ value: Float) { bitPattern = value.bitPattern }

        /// The value.
        public var value: Float { Float(bitPattern: bitPattern) }
    }

    /// Whether the system failed, not the recording: no descriptors or memory, a file server gone. The same clip may succeed a
    /// moment later, so it stops a run instead of being recorded.
    public var isSystemFault: Bool {
        switch self {
        case .cannotOpen(let error), .cannotRead(let error), .notDecodable(_, let error?),
            .cannotOpenMember(_, _, _, let error?):
            error.isFault
        default: false
        }
    }

    /// Whether a resumed run reads the clip again.
    public var isTransient: Bool { kind.isTransient }

    /// The step that failed.
    public var stage: Stage { kind.stage }
}

extension ClipFailure: CustomStringConvertible {
    /// `decode: expected finite samples, found nan at sample 6000`
    public var description: String { "\(stage.rawValue): \(reason)" }
}

/// A failure as stored in a spool or feature file: stage, kind and sentence, without the payload.
public struct FailureRecord: Hashable, Sendable {
    /// The step that failed.
    public let stage: ClipFailure.Stage
    /// A `ClipFailure.Kind`, or a kind of a later version; nil: a file of format 1.0, which has no kinds.
    public let kind: String?
    /// What was expected and what was found, in a sentence without a path.
    public let reason: String

    /// Keeps the values.
    public init(stage: ClipFailure.Stage, kind: String?, reason: String) {
        self.stage = stage
        self.kind = kind
        self.reason = reason
    }

    /// The record of a failure.
    public init(_ failure: ClipFailure) {
        self.init(stage: failure.stage, kind: failure.kind.rawValue, reason: failure.reason)
    }

    /// Whether the clip may succeed without a change of the recording. Without a known kind, every failure before the
    /// first sample was converted may.
    public var isTransient: Bool {
        kind.flatMap(ClipFailure.Kind.init(rawValue:))?.isTransient ?? (stage == .open || stage == .decode)
    }

    /// Whether both record the same failure, by stage, sentence and kind. A record of format 1.0 has no kind to compare.
    public func isSame(as other: FailureRecord) -> Bool {
        stage == other.stage && reason == other.reason && (kind == nil || other.kind == nil || kind == other.kind)
    }
}

extension FailureRecord: CustomStringConvertible {
    /// `decode: expected finite samples, found nan at sample 6000`
    public var description: String { "\(stage.rawValue): \(reason)" }
}
