extension ClipFailure {
    /// What libsndfile says of a file that it does not know.
    package static let unknownFormat = "Format not recognised"

    /// What was expected and what was found, in a sentence without a path.
    public var reason: String {
        switch self {
        case .cannotOpen(let error), .cannotRead(let error): "cannot read the file: \(error.message)"
        case .cannotOpenMember(let member, let archive, let words, _):
            "cannot read '\(member)' in the archive '\(archive)': \(words)"
        case .isFolder: "expected a recording, found a folder"
        case .isNotRegularFile: "expected a recording in a regular file, found a pipe, socket or device"
        case .isEmptyFile: "expected a recording, found an empty file (0 bytes)"
        case .notDecodable(let words, _):
            "expected a recording that libsndfile can read: \(words)"
                + (kind == .unknownFormat
                    ? "; if it is one, convert it into a WAV with the program that made it, or with ffmpeg -i in.xyz out.wav"
                    : "")
        case .foreign(.gitLFSPointer):
            "expected a recording, found a Git LFS pointer: the recording was not fetched"
        case .foreign(.text(let line)): "expected a recording, found text: '\(line)'"
        case .foreign(.compressedSphere(let coding)):
            "expected a recording that libsndfile can read, found SPHERE whose samples are compressed ('\(coding)'): "
                + (coding.hasPrefix("pcm,")
                    ? "convert it into a WAV, such as by ffmpeg -i in.sph out.wav"
                    : "sph2pipe -f wav in.sph out.wav makes a WAV of it; ffmpeg does not read such samples")
        case .needsFFmpeg(let format, let obstacle):
            "expected a recording that libsndfile can read, found \(format): \(obstacle.advice)"
        case .invalidHeader(let channels, let sampleRate):
            "expected a recording, found \(channels) channels at \(sampleRate) Hz in the header"
        case .headerRepeated:
            "expected samples, found the header of the file once more: it was written into a pipe, which this format "
                + "does not allow"
        case .lengthNotStated(let bytes):
            "expected a header that says how long the recording is, found one that does not, and \(bytes) bytes of "
                + "samples after it"
        case .rateContradicted(let header, let frames): Self.contradiction("\(header) Hz", "\(frames) Hz")
        case .lengthContradicted(let header, let frames): Self.contradiction("\(header) samples", "\(frames)")

        case .cannotSeek(let frame, let words): "cannot seek to sample \(frame): \(words)"
        case .endsBefore(let frame, let end): "cannot seek to sample \(frame): the recording ends at \(end)"
        case .replaced: "the recording was replaced by another while it was read"
        case .missingSamples(let promised, let found):
            "expected \(promised) samples by the header, found only \(found): the file is cut off or damaged"
        case .ffmpegFailed(let words): "ffmpeg cannot decode the recording: \(words)"
        case .damaged(let frame, let damage): "the recording is damaged near sample \(frame): \(damage.reason)"
        case .chainedOgg:
            "expected one recording in the Ogg file, found several, one after another (a chained stream), of which only "
                + "the first would be read: split the file, or make one stream of them"
        case .otherStreamFollows(let frame, let first, let second):
            "expected one recording in the file, found another one after \(frame) samples: \(second.words) follow "
                + "\(first.words); split the file, or convert it into a WAV, such as by ffmpeg -i in.mp3 out.wav"
        case .recordingFollows(let frame):
            "expected one recording in the file, found another one \(frame.map { "after \($0) samples" } ?? "after its samples")"
                + ", with a header of its own: split the file"
        case .cutOff(let cut): cut.reason
        case .nonFiniteSample(let sample, let frame):
            "expected finite samples, found \(sample.value) at sample \(frame)"
        case .noSamples: "expected samples, found none: the recording is empty"
        case .segmentStartsLate(let start, let length, let unit):
            "the segment starts at \(Self.text(start)), but the recording lasts \(Self.text(length))\(Self.advice(unit))"
        case .segmentEndsLate(let end?, let length, let unit):
            "the segment ends at \(Self.text(end)), but the recording lasts \(Self.text(length))"
                + (unit == nil && end - length <= Self.smallOvershoot
                    ? ": --overshoot \(Self.allowance(end - length)) cuts it at the end of the recording"
                    : Self.advice(unit))
        case .segmentEndsLate(nil, let length, _):
            "the segment ends past the recording, which lasts \(Self.text(length))"
        case .segmentWithoutSamples(let seconds, let sampleRate):
            "the segment of \(Self.text(seconds)) holds no sample at \(sampleRate) Hz"
        case .declaredRate(let declared, let found):
            "expected \(declared) Hz, as the manifest says of the recording, found \(found) Hz: is it another recording?"
        case .declaredLength(let declared, let found):
            "expected a recording of \(Self.text(declared)), as the manifest says, found \(Self.text(found)): is it another one?"
        case .otherSamples(let expected, let found):
            "expected the samples that were corrected, with audio_xxh3 \(expected), found others, with \(found): the recording has changed "
                + "since; correct the clip again, or delete audio_xxh3 from its corrections if they are still right"
        case .interrupted: "the recording was interrupted before its first sample"
        case .stopped: "stopped"

        case .noSuchChannel(let channel, let channels):
            "expected channel \(channel) (counted from 0), found a recording of \(Self.channels(channels))"
        case .otherRate(let expected, let found, .clip):
            "expected \(expected) Hz, the rate of the first clip, found \(found) Hz: "
                + "set audio.sample_rate, so that clips are resampled to one rate"
        case .otherRate(let expected, let found, .input):
            "expected \(expected) Hz, the rate of the first input, found \(found) Hz: "
                + "set audio.sample_rate, so that both are resampled to one rate"
        case .otherChannels(let expected, let found):
            "expected a recording of \(Self.channels(expected)), as the first clip has, since audio.channels is all, found \(found)"
        case .ratesTooFarApart(let input, let output):
            "cannot resample from \(input) Hz to \(output) Hz: the rates are too far apart"
        case .cannotResample(let input, let output, let words):
            "cannot resample from \(input) Hz to \(output) Hz: \(words)"
        case .rateOutOfRange(let rate, let allowed):
            "expected a rate from \(allowed.lowerBound) to \(allowed.upperBound) Hz, found \(rate) Hz"
        case .noChannels(let channels): "expected at least one channel, found \(channels)"
        case .filterOverflow: "the samples are too large for the sums of a filter in single precision"

        case .nonFiniteFeatures:
            "expected finite values, found infinite ones: the samples, or the figures of the section scale, are too large"
        case .tooShort(let minimum, let sampleRate, let found):
            "expected at least \(minimum) samples at \(sampleRate) Hz, found \(found): the clip is too short"

        case .tooManyFrames(let frames): "expected at most \(Int32.max) frames, found \(frames)"
        case .valueOutOfRange(let limit, let found, let bin, let isNormalized):
            "expected values from -\(limit) to \(limit) for store.type: float16, found \(found) in bin \(bin): "
                + "set store.type to float32, "
                + (isNormalized ? "or another scale.kind" : "or normalize.scope to dataset or clip")
        case .rejected: "the clip was rejected"
        }
    }

    private static func contradiction(_ header: String, _ frames: String) -> String {
        "expected \(header) by the header, found \(frames) by the frames of the recording: its header is damaged"
    }

    /// Segments that end later than this after their recording, in seconds, are not advised to be cut.
    private static let smallOvershoot = 1.0

    /// Up to the next hundredth of a second.
    private static func allowance(_ seconds: Double) -> String { "\((seconds * 100).rounded(.up) / 100)" }

    /// What to do about times in another unit.
    private static func advice(_ unit: OtherTimeUnit?) -> String {
        switch unit {
        case nil: ""
        case .milliseconds: ": if the times are milliseconds, give --time-unit ms"
        case .samples: ": if the times are samples, give --time-unit samples"
        case .either: ": if the times are milliseconds or samples, give --time-unit ms or --time-unit samples"
        }
    }

    private static func channels(_ number: Int) -> String { number == 1 ? "1 channel" : "\(number) channels" }

    /// To the microsecond.
    private static func text(_ seconds: Double) -> String { "\((seconds * 1e6).rounded() / 1e6) s" }
}

extension ClipFailure.FFmpegObstacle {
    fileprivate var advice: String {
        switch self {
        case .notInstalled: "install ffmpeg (with ffprobe), which reads it"
        case .turnedOff: "ffmpeg would read it, but --no-ffmpeg was given"
        case .otherName:
            "rename it with an extension of that format, such as .m4a, .mp4, .aac, .wma or .mkv, and ffmpeg reads it"
        case .inArchive: "ffmpeg has to seek in it: unpack it from the archive"
        }
    }
}

extension ClipFailure.Damage {
    fileprivate var reason: String {
        switch self {
        case .decoder(let words): words
        case .flacFrames: "frames of the FLAC are damaged or missing"
        case .oggPage(let number?): "Ogg page \(number) is damaged"
        case .oggPage(nil): "an Ogg page is damaged"
        case .oggSequence(let expected, let found): "expected Ogg page \(expected), found page \(found)"
        }
    }
}

extension ClipFailure.StreamFormat {
    /// `22050 Hz, 1 channel, layer 3`
    fileprivate var words: String { "\(sampleRate) Hz, \(channels) channel\(channels == 1 ? "" : "s"), layer \(layer)" }
}
