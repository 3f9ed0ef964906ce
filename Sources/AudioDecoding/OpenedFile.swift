import CSndfile
import FeatureModel
import FileIO

/// A recording opened by libsndfile, with its header checked against the file.
struct OpenedFile {
    let handle: SoundHandle
    /// The recording's bytes: all of a file, or those after a tag.
    private(set) var content: FileContent
    /// Number of frames by the header; nil: not given.
    let frameCount: Int?
    /// What is missing at the end by the header; nil: nothing.
    let cutOff: CutOff?
    /// Maximum samples of each channel in a frame of FLAC.
    var longestBlock = 65_535
    /// Whether a FLAC ends with its last frame.
    var endsWhole = false
    /// Whether the file continues after the samples that its header counts, with enough bytes that they may be samples.
    private(set) var leavesOutSound = false

    /// The length of an MP3 or an older layer; nil for another format, or if nothing is known.
    var mpeg: MPEGLength?

    /// This part of a second: what some programs put after the samples is not longer, as far as it is neither zeros nor a chunk.
    private static let longestPadding = 100

    /// Opens a recording, and compares the size in its header with the file.
    ///
    /// - Parameter mpeg: The length that was found before; nil: none was.
    /// - Throws: `ClipFailure` of stage `open`, or of `decode` where another recording follows.
    init(_ content: FileContent, mpeg: MPEGLength? = nil) throws(ClipFailure) {
        try self.init(content, mpeg: mpeg, isBehindTags: false)
    }

    /// - Parameter isBehindTags: Whether the tags at the start were left out: this is done once, or bytes that are nothing but tags
    ///   would decide how deep the calls go.
    private init(_ content: FileContent, mpeg: MPEGLength?, isBehindTags: Bool) throws(ClipFailure) {
        if let mpeg, mpeg.layout != nil {
            try self.init(ofMPEG: content, mpeg)
            return
        }
        let opened: SoundHandle
        do throws(OpeningFailure) {
            opened = try SoundFileOpening.open(content)
        } catch {
            // libsndfile takes a header that cannot be read for that of another format.
            if error.system == nil, let refused = HeaderBytes.refusal(of: content) {
                throw .cannotRead(SystemCallError(refused.code))
            }
            let failure = ClipFailure.notDecodable(words: error.words, error.system)
            guard !failure.isSystemFault, let header = HeaderBytes(content) else { throw failure }
            if !isBehindTags, let behind = content.dropping(first: header.leadingTagsSize),
                let found = try? OpenedFile(behind, mpeg: nil, isBehindTags: true)
            {
                self = found
                return
            }
            // Without a name, libsndfile does not look for a first frame after other bytes.
            if MediaSignature(header) == nil, SampleData.find(header) == nil,
                let length = try MPEGLength(content, opensAsItIs: false),
                length.layout != nil,
                let found = try? OpenedFile(ofMPEG: content, length)
            {
                self = found
                return
            }
            let data = SampleData.find(header)
            if data?.rest == .recording { throw .recordingFollows(frame: nil) }
            // In some formats libsndfile refuses a wrong size as damage.
            guard let data, data.promised.map({ $0 > data.present }) ?? true, data.present > 0, !data.isRestarted,
                let corrected = try? OpenedFile(content, correcting: data, frameSize: nil)
            else { throw failure }
            self = corrected
            return
        }
        let format = SoundFileFormat(code: opened.info.format)
        if format.isMPEG {
            try self.init(ofMPEG: content, opened, in: nil, known: mpeg)
            return
        }
        // The headers of Ogg have no size.
        guard !format.isOgg, let header = HeaderBytes(content) else {
            self.init(content, opened)
            return
        }
        // After a tag, libsndfile reads a file to its end only where it has opened that itself.
        if !isBehindTags, let behind = content.dropping(first: header.leadingTagsSize) {
            self = try OpenedFile(behind, mpeg: nil, isBehindTags: true)
            return
        }
        if format.isFLAC {
            try self.init(ofFLAC: header, content, opened)
            return
        }
        guard let data = SampleData.find(header) else {
            self.init(content, opened)
            return
        }
        if format.containsMPEG {
            let end = data.offset + min(data.promised ?? data.present, data.present)
            try self.init(ofMPEG: content, opened, in: data.offset..<end, known: nil)
            return
        }
        try self.init(content, opened, data)
    }

    /// Compares the size of samples in the header with the file.
    private init(_ content: FileContent, _ opened: SoundHandle, _ data: SampleData) throws(ClipFailure) {
        let frameSize = Self.frameSize(opened.info)
        guard let promised = data.promised else {
            guard !data.isRestarted else { throw .headerRepeated }
            guard Int(clamping: opened.info.frames) < frameSize.map({ data.present / $0 }) ?? 1, data.present > 0
            else {
                self.init(content, opened)
                return
            }
            self = try OpenedFile(content, correcting: data, frameSize: frameSize)
            return
        }
        let frames = frameSize.map { promised / $0 }
        switch data.rest {
        case .harmless:
            guard let frames, Int(clamping: opened.info.frames) > frames else {
                self.init(content, opened, cutOff: Self.cutOff(data, opened.info))
                return
            }
            // In a W64, libsndfile takes chunks after the samples for samples.
            guard let source = PatchedFile(content, SourceLayout(size: data.offset + promised)),
                let part = SoundFileOpening.open(source)
            else { throw .lengthContradicted(header: frames, frames: Int(clamping: opened.info.frames)) }
            self.init(content, part)
        case .recording:
            throw .recordingFollows(frame: frames)
        case .samples(let bytes):
            guard let layout = data.layoutOfLongWave(bytes: bytes), let source = PatchedFile(content, layout),
                let whole = SoundFileOpening.open(source)
            else {
                throw .lengthContradicted(header: frames ?? promised, frames: frameSize.map { bytes / $0 } ?? bytes)
            }
            self.init(content, whole)
        case .other:
            let read = Int(clamping: opened.info.frames)
            // The number of packed samples is estimated by the bytes that those of the header take.
            let present =
                frameSize.map { data.present / $0 }
                ?? Int(min(Double(read) * (Double(data.present) / Double(max(promised, 1))), 0x1p60))
            let (left, rate) = (present - (frames ?? read), Int(opened.info.samplerate))
            guard left < rate || read > frames ?? read else {
                throw .lengthContradicted(header: frames ?? read, frames: present)
            }
            self.init(content, opened)
            leavesOutSound = left > rate / Self.longestPadding
        }
    }

    private init(_ content: FileContent, _ opened: SoundHandle, cutOff: CutOff? = nil) {
        (handle, self.content, self.cutOff) = (opened, content, cutOff)
        frameCount = opened.info.frameCount
    }

    /// Compares the length of MPEG audio with what libsndfile takes for it, and opens it once more where libsndfile would read
    /// another part than all of it.
    ///
    /// - Parameter range: The bytes of a stream in another container; nil: the file.
    private init(
        ofMPEG content: FileContent, _ opened: SoundHandle, in range: Range<Int>?, known: MPEGLength?
    ) throws(ClipFailure) {
        let length = if let known { known } else { try MPEGLength(content, in: range) }
        guard let length, length.layout != nil else {
            self.init(content, opened)
            mpeg = length
            return
        }
        try self.init(ofMPEG: content, length)
    }

    /// Opens the frames of MPEG audio.
    private init(ofMPEG content: FileContent, _ length: MPEGLength) throws(ClipFailure) {
        guard let source = PatchedFile(content, length.layout), let opened = SoundFileOpening.open(source) else {
            throw .notDecodable(words: "no frames that mpg123 decodes", nil)
        }
        let rate = Double(max(opened.info.samplerate, 1))
        let count = length.sampleCount ?? opened.info.frameCount
        let cutOff = length.promised.map {
            CutOff(promised: Double($0) / rate, present: count.map { Double($0) / rate })
        }
        (handle, frameCount, self.cutOff, self.content, mpeg) = (opened, count, cutOff, content, length)
    }

    /// Checks the header of a FLAC, which has no checksum, against its frames, which have.
    private init(ofFLAC header: HeaderBytes, _ content: FileContent, _ opened: SoundHandle) throws(ClipFailure) {
        let (info, stream) = (opened.info, FLACStream(header))
        if let rate = stream?.frameRate, rate != Int(info.samplerate) {
            throw .rateContradicted(header: Int(info.samplerate), frames: rate)
        }
        var cutOff: CutOff?
        if let found = stream?.frameCount, let frames = info.frameCount, frames > 0, found != frames {
            guard found < frames else {
                throw .lengthContradicted(header: frames, frames: found)
            }
            let rate = Double(max(info.samplerate, 1))
            cutOff = CutOff(promised: Double(frames) / rate, present: Double(found) / rate)
        }
        (handle, self.content, self.cutOff) = (opened, content, cutOff)
        // A header without a length comes from a pipe.
        frameCount = info.frameCount ?? stream?.frameCount
        if let stream { longestBlock = stream.longestBlock }
        endsWhole = stream?.frameCount.map { $0 == frameCount } ?? false
    }

    /// Opens a recording with a corrected size in its header.
    private init(_ content: FileContent, correcting data: SampleData, frameSize: Int?) throws(ClipFailure) {
        // What ffmpeg writes into a pipe, or a program that reserves 32 bits, may be longer than these can say.
        guard let layout = data.correctedLayout(frameSize: frameSize), let source = PatchedFile(content, layout),
            let opened = SoundFileOpening.open(source)
        else { throw .lengthNotStated(bytes: data.present) }
        guard opened.info.frames > 0 else { throw .lengthNotStated(bytes: data.present) }
        self.init(content, opened, cutOff: Self.cutOff(data, opened.info))
    }

    /// Bytes of a frame; nil: samples are packed otherwise.
    private static func frameSize(_ info: SF_INFO) -> Int? {
        SoundFileFormat(code: info.format).encoding?.bytes.map { $0 * Int(max(info.channels, 1)) }
    }

    /// The missing part of a recording, by the bytes of samples in its header.
    private static func cutOff(_ data: SampleData, _ info: SF_INFO) -> CutOff? {
        let frameSize = frameSize(info)
        let (unit, frames) = (frameSize ?? 1, Int(clamping: info.frames))
        // Less than a frame is not a loss; a header alone is an empty recording.
        guard let promised = data.promised, promised - data.present >= unit, data.present >= unit, frames > 0 else {
            return nil
        }
        let rate = Double(max(info.samplerate, 1))
        if let frameSize {
            return CutOff(
                promised: Double(promised / frameSize) / rate,
                present: Double(min(data.present / frameSize, frames)) / rate)
        }
        // libsndfile counts the present blocks, all of one size; for ALAC those of the header.
        if SoundFileFormat(code: info.format).encoding != nil {
            return CutOff(promised: Double(frames) / rate, present: nil)
        }
        let present = Double(frames) / rate
        return CutOff(promised: present * Double(promised) / Double(data.present), present: present)
    }
}

extension SF_INFO {
    /// Number of frames by the header; nil: not given.
    var frameCount: Int? { frames >= 0 && frames < Int64(1) << 60 ? Int(frames) : nil }
}
