import Archives
import FeatureModel
import FileIO
import Resampling

/// Reads clips as one signal each, in pieces: opens, seeks, decodes, checks, chooses channels. `read` also brings them to a rate.
///
/// The last recording is kept open for further segments, except for codecs whose samples depend on what was decoded before
/// (Vorbis, MP3, Opus): a clip does not depend on what was read before it. Memory does not depend on a clip's length. Not safe
/// to use from two threads at once.
package final class ClipDecoder {
    /// The libraries that have decoded, or tried to decode, and resampled since the value was made.
    package private(set) var libraries: Set<DecodingLibrary> = []

    private let configuration: AudioConfiguration
    private let policy: RecordingPolicy
    private let skipped: SkippedSound?
    private var file: (any SampleSource)?
    /// Status of the open recording, taken before it was opened.
    private var identity: ContentStatus?
    private let buffer = ReadBuffer()
    private let scans = RecordingScans()
    private let conversion = RateConversion()
    private var interleaved: UnsafeMutableBufferPointer<Float>
    private let signal: UnsafeMutableBufferPointer<Float>

    private static let blockFrames = 16_384

    /// - Parameter skipped: Counts sound that is decoded only to reach a clip; nil: it is not counted.
    package init(
        _ configuration: AudioConfiguration, policy: RecordingPolicy = RecordingPolicy(), skipped: SkippedSound? = nil
    ) {
        (self.configuration, self.policy, self.skipped) = (configuration, policy, skipped)
        interleaved = .allocate(capacity: Self.blockFrames)
        signal = .allocate(capacity: Self.blockFrames)
    }

    deinit {
        interleaved.deallocate()
        signal.deallocate()
    }

    /// The rate in Hz of the signals that a recording becomes, and their number.
    ///
    /// - Parameter content: Its bytes; nil: those of `path`.
    /// - Throws: `ClipFailure` of stage `open`.
    package func signals(
        of clip: Clip, path: String, content: FileContent? = nil
    ) throws(ClipFailure) -> (rate: Int, count: Int) {
        let file = try open(path, content)
        let isAll = clip.channel == nil && configuration.channels == .all
        return (configuration.sampleRate ?? file.sampleRate, isAll ? file.channels : 1)
    }

    /// The rate in Hz of the signal that a recording becomes.
    ///
    /// - Parameter content: Its bytes; nil: those of `path`.
    /// - Throws: `ClipFailure` of stage `open`.
    package func signalRate(path: String, content: FileContent? = nil) throws(ClipFailure) -> Int {
        let file = try open(path, content)
        return configuration.sampleRate ?? file.sampleRate
    }

    /// Reads a clip.
    ///
    /// - Parameters:
    ///   - clip: Part and channel.
    ///   - path: The recording.
    ///   - content: Its bytes, which no others share their status with; nil: those of `path`.
    ///   - status: That of the file `path` just now; nil: it is looked up.
    ///   - rate: The rate of the signal in Hz.
    ///   - signals: The number of signals, which the clip has to have; nil: one, in which all channels are mixed.
    ///   - opened: Takes the clip's number of samples at `rate`, before the first sample: give or take one where the rate is
    ///     changed; nil: unknown.
    ///   - decoded: Takes the interleaved samples as decoded, on the unit scale, piece by piece.
    ///   - receive: Takes the index of a signal and its next piece, at `rate` and on the unit scale: of each signal in turn, as
    ///     many samples in as many pieces.
    /// - Throws: `ClipFailure`, or what `receive` throws.
    package func read(
        _ clip: Clip, path: String, content: FileContent? = nil, status: FileStatus? = nil, rate: Int,
        signals: Int? = nil,
        opened: (Int?) -> Void = { _ in }, decoded: (UnsafeBufferPointer<Float>) -> Void,
        receive: (Int, UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> ClipMeasurement {
        let measurement = try decode(
            clip, path: path, content: content, status: status,
            rate: configuration.sampleRate == nil ? rate : nil, signals: signals,
            opened: { found throws(ClipFailure) in
                let method = configuration.resampler
                let isChanged = try conversion.start(
                    signals: found.signals, from: found.rate, to: rate, by: method)
                if isChanged, method.isSoxr { libraries.insert(.soxr) }
                opened(found.count.map { Self.samples($0, from: found.rate, to: rate) })
            }, decoded: decoded
        ) { signal, piece throws(ClipFailure) in
            try conversion.push(piece, of: signal) { part throws(ClipFailure) in try receive(signal, part) }
        }
        try conversion.finish(receive)
        return measurement
    }

    /// What is known of a clip before its first sample.
    package struct Opened: Sendable {
        /// Rate of the recording in Hz.
        package let rate: Int
        /// Number of signals.
        package let signals: Int
        /// Samples of each; nil: unknown.
        package let count: Int?
    }

    /// Reads a clip at its recording's own rate.
    ///
    /// - Parameters:
    ///   - clip: Part and channel.
    ///   - path: The recording.
    ///   - content: Its bytes, which no others share their status with; nil: those of `path`.
    ///   - status: That of the file `path` just now; nil: it is looked up.
    ///   - rate: The rate in Hz that the recording has to have; nil: any.
    ///   - signals: The number of signals, which the clip has to have; nil: one, in which all channels are mixed.
    ///   - opened: Called before the first sample.
    ///   - decoded: Takes the interleaved samples as decoded, on the unit scale, piece by piece.
    ///   - receive: Takes the index of a signal and its next piece: of each signal in turn, as many samples in as many pieces.
    /// - Throws: `ClipFailure`, or what `opened` and `receive` throw.
    package func decode(
        _ clip: Clip, path: String, content: FileContent? = nil, status: FileStatus? = nil, rate: Int?, signals: Int?,
        opened: (Opened) throws(ClipFailure) -> Void, decoded: (UnsafeBufferPointer<Float>) -> Void,
        receive: (Int, UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> ClipMeasurement {
        var file = try open(path, content, status)
        let (segment, declared) = try segment(of: clip, file)
        if segment != nil {
            if let whole = file as? SoundFile, whole.format.isMPEG {
                file = try ForwardSoundFile(whole)
                self.file = file
            }
            (file as? ForwardRecording)?.skipped = skipped
            try file.prepareForSegments()
        }
        if let rate, file.sampleRate != rate { throw .otherRate(expected: rate, found: file.sampleRate, than: .clip) }
        let mixers = try mixers(of: clip, file, signals)
        let range = try FrameRange(of: segment, in: file, overshoot: configuration.overshoot, policy)
        try file.seek(to: range.start)
        // For a recording of unknown length, the clip's end comes from the manifest and may be anything.
        try opened(
            Opened(rate: file.sampleRate, signals: mixers.count, count: hasLength(file) ? range.count : nil))

        var (read, zeroed) = (0, 0)
        while range.count.map({ read < $0 }) ?? true {
            // `interleaved` may have grown for many channels; `signal` holds one block.
            let capacity = min(interleaved.count / file.channels, Self.blockFrames)
            let wanted = min(capacity, (range.count ?? .max) - read)
            let count = try file.read(into: start(of: interleaved), frames: wanted)
            guard count > 0 else { break }
            let samples = UnsafeBufferPointer(rebasing: interleaved[..<(count * file.channels)])
            if !file.isAlwaysFinite {
                if policy.nonFinite == .zero {
                    zeroed += zeroNonFinite(UnsafeMutableBufferPointer(rebasing: interleaved[..<samples.count]))
                } else {
                    try requireFinite(samples, channels: file.channels, from: range.start + read)
                }
            }
            decoded(samples)
            read += count
            for (signal, mixer) in mixers.enumerated() {
                try receive(signal, mixed(samples, frames: count, by: mixer))
            }
        }
        let isTruncated = try range.isTruncated(file, read: read, policy)
        guard read > 0 else { throw .noSamples }
        let duration = Double(read) / Double(file.sampleRate)
        return ClipMeasurement(
            sampleRate: file.sampleRate, channels: file.channels, start: segment?.start ?? 0,
            duration: duration, isTruncated: isTruncated, zeroedSamples: zeroed,
            remarks: Self.remarks(declared, on: clip, file, lasting: duration, isTruncated: isTruncated))
    }

    /// The remarks on a clip of this duration in seconds, with those on its recording.
    private static func remarks(
        _ declared: RecordingRemarks, on clip: Clip, _ file: any SampleSource, lasting duration: Double,
        isTruncated: Bool
    ) -> RecordingRemarks {
        guard !isTruncated else { return declared }
        return declared.union(clip.remarks(lasting: duration)).union(file.cutOff == nil ? [] : .recordingsCutLater)
    }

    /// The number of samples of each of some clips of one recording, at a rate in Hz, give or take one; 0: the clip cannot be
    /// read; nil: unknown. The recording is opened once.
    package func sampleCounts(of clips: [Clip], path: String, rate: Int) -> [Int?] {
        guard let file = try? open(path) else { return clips.map { _ in 0 } }
        guard hasLength(file) else { return clips.map { _ in nil } }
        return clips.map { clip in
            let count = (try? range(of: clip, file))?.count ?? 0
            return Self.samples(count, from: file.sampleRate, to: rate)
        }
    }

    /// The part of a recording that a clip is, nil: all of it; and how the recording differs from what the manifest declares.
    ///
    /// - Throws: `ClipFailure` for a difference that is not allowed.
    private func segment(
        of clip: Clip, _ file: any SampleSource
    ) throws(ClipFailure) -> (part: Segment?, declared: RecordingRemarks) {
        // Whether a length alone is that of all, and whether it is the declared one, needs a length that is sure.
        if file.isFrameCountEstimated, clip.segment?.isLengthAlone == true || clip.declared != nil {
            try file.prepareForSegments()
        }
        let isKnown = file.cutOff == nil && !file.isFrameCountEstimated
        let declared = try clip.checkDeclared(rate: file.sampleRate, frames: isKnown ? file.frameCount : nil)
        return (clip.segment?.part(ofLength: FrameRange.length(of: file)), declared.union(file.remarks))
    }

    private func range(of clip: Clip, _ file: any SampleSource) throws(ClipFailure) -> FrameRange {
        try FrameRange(of: segment(of: clip, file).part, in: file, overshoot: configuration.overshoot, policy)
    }

    private func hasLength(_ file: any SampleSource) -> Bool { file.frameCount != nil && !file.isFrameCountEstimated }

    /// A clip by its header; nothing is decoded.
    ///
    /// - Parameter signals: As for `read`.
    /// - Throws: `ClipFailure` where reading would fail, too, if the header shows it.
    package func survey(_ clip: Clip, path: String, signals: Int? = nil) throws(ClipFailure) -> ClipMeasurement {
        let file = try open(path)
        let (segment, declared) = try segment(of: clip, file)
        _ = try mixers(of: clip, file, signals)
        let range = try FrameRange(of: segment, in: file, overshoot: configuration.overshoot, policy)
        if let rate = configuration.sampleRate {
            try Resampler.check(
                from: file.sampleRate, to: rate, by: configuration.resampler, samples: range.count)
        }
        guard range.count != 0 else { throw .noSamples }
        var isTruncated = range.isTruncated
        let reachesEnd = range.count.map { range.start + $0 == file.frameCount } ?? true
        if reachesEnd, let failure = file.failureAtEnd() {
            guard policy.truncated == .keep, failure.kind == .cutOff else { throw failure }
            isTruncated = true
        }
        let duration =
            Double(range.count ?? max((file.frameCount ?? 0) - range.start, 0)) / Double(file.sampleRate)
        return ClipMeasurement(
            sampleRate: file.sampleRate, channels: file.channels, start: segment?.start ?? 0,
            duration: duration, isTruncated: isTruncated,
            remarks: Self.remarks(declared, on: clip, file, lasting: duration, isTruncated: isTruncated))
    }

    /// The number of samples after resampling, give or take one.
    package static func samples(_ count: Int, from input: Int, to output: Int) -> Int {
        input == output ? count : Int(min((Double(count) * Double(output) / Double(input)).rounded(), 0x1p60))
    }

    private func open(
        _ path: String, _ given: FileContent? = nil, _ status: FileStatus? = nil
    ) throws(ClipFailure) -> any SampleSource {
        // Names are compared by bytes: Swift's texts are equal where Unicode calls them equivalent, files are not. A file that was
        // replaced or changed since it was opened is another recording.
        let (content, found): (FileContent, ContentStatus?) =
            if let given { (given, given.status) } else if let status { (.file(path), ContentStatus(status)) } else {
                try ClipFailure.content(path)
            }
        if let file, file.seeksExactly, file.path.utf8.elementsEqual(path.utf8), found != nil, found == identity {
            return file
        }
        file = nil
        identity = found
        let opened: any SampleSource =
            if let plain = PlainWaveFile(content, found, path: path, buffer: buffer) { plain } else {
                try decoded(content, path)
            }
        file = opened
        libraries.formUnion(opened.libraries)
        if interleaved.count < opened.channels * 1024 {
            interleaved.deallocate()
            interleaved = .allocate(capacity: opened.channels * 1024)
        }
        return opened
    }

    /// A recording that libsndfile reads, or ffmpeg.
    private func decoded(_ content: FileContent, _ path: String) throws(ClipFailure) -> any SampleSource {
        // Also where it fails: what it cannot open may depend on its version.
        libraries.insert(.libsndfile)
        do throws(ClipFailure) {
            do throws(ClipFailure) { return try SoundFile(content, path: path, scans: scans) } catch {
                return try FFmpegRecording(content, path: path, after: error)
            }
        } catch {
            throw ForeignContent.failure(insteadOf: error, content)
        }
    }

    private func mixers(
        of clip: Clip, _ file: any SampleSource, _ signals: Int?
    ) throws(ClipFailure) -> [ChannelMixer] {
        let selection = clip.channel(ofChannels: file.channels).map { .number($0) } ?? configuration.channels
        guard let signals else { return [try ChannelMixer(selection, channels: file.channels)] }
        return try ChannelMixer.mixers(selection, channels: file.channels, count: signals)
    }

    private func mixed(
        _ samples: UnsafeBufferPointer<Float>, frames: Int, by mixer: ChannelMixer
    ) -> UnsafeBufferPointer<Float> {
        guard !mixer.isIdentity, let source = samples.baseAddress else { return samples }
        mixer.apply(source, frames: frames, into: start(of: signal))
        return UnsafeBufferPointer(rebasing: signal[..<frames])
    }

    /// The buffers are never empty, so they have an address.
    private func start(of buffer: UnsafeMutableBufferPointer<Float>) -> UnsafeMutablePointer<Float> {
        guard let start = buffer.baseAddress else { preconditionFailure("an allocated buffer has an address") }
        return start
    }
}
