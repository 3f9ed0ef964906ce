import Archives
import CSndfile
import FeatureModel
import FileIO
import Platform

/// A recording opened for reading by libsndfile.
package final class SoundFile: SampleSource {
    package let path: String
    package let sampleRate: Int
    package let channels: Int
    package let frameCount: Int?

    /// Whether `frameCount` is an estimate: the recording may be longer or shorter.
    package let isFrameCountEstimated: Bool

    /// Whether samples are independent of where reading started: PCM (FLAC included), floating point, A-law and µ-law.
    package let seeksExactly: Bool

    var libraries: Set<DecodingLibrary> { format.libraries }

    var isAlwaysFinite: Bool { false }

    package let format: SoundFileFormat

    package let cutOff: CutOff?

    package private(set) var earlyEnd: CutOff?

    let remarks: RecordingRemarks

    /// Whether an MP3 states more bytes than are present.
    private let isShorterThanStated: Bool
    /// Nil: another format than MPEG audio.
    private let mpeg: MPEGLength?
    private var handle: SoundHandle
    private var file: OpaquePointer { handle.file }
    /// The recording's bytes.
    private let content: FileContent
    private var position = 0
    /// Nil: another container than Ogg.
    private var ogg: OggRecording?
    /// Maximum samples of a frame of FLAC.
    private let longestBlock: Int
    /// Whether a FLAC ends with its last frame: then missing frames are damaged, not cut off.
    private let endsWhole: Bool
    /// Opus is decoded from this part of a second before a part that is read. libsndfile starts 80 ms before, after which the
    /// last bit differs now and then; after a quarter of a second none did.
    private static let opusApproach = 2
    /// Whether a FLAC was found to be the only one in its file.
    private var isSingle = false
    private let scans: RecordingScans?
    /// Whether frames are being read again.
    private var isSeekingBack = false

    /// Opens a regular file, or a member of an archive, and reads its header.
    ///
    /// - Throws: `ClipFailure` of stage `open`; of stage `decode` for an Ogg file with several recordings.
    package convenience init(path: String) throws(ClipFailure) {
        let content = try ClipFailure.content(path).0
        do throws(ClipFailure) {
            try self.init(content, path: path)
        } catch {
            throw ForeignContent.failure(insteadOf: error, content)
        }
    }

    /// Opens a recording and reads its header.
    ///
    /// - Parameters:
    ///   - path: What it is called.
    ///   - scans: Keeps the scans of recordings.
    /// - Throws: As above.
    init(_ content: FileContent, path: String, scans: RecordingScans? = nil) throws(ClipFailure) {
        try Self.requireRegularFile(content)
        let opened = try OpenedFile(content, mpeg: scans?.length(of: content))
        if let length = opened.mpeg, length.isScanned { scans?.keep(length, of: content) }
        let info = opened.handle.info
        guard info.channels > 0, info.samplerate > 0 else {
            throw .invalidHeader(channels: Int(info.channels), sampleRate: Int(info.samplerate))
        }
        handle = opened.handle
        self.path = path
        self.content = opened.content
        self.scans = scans
        sampleRate = Int(info.samplerate)
        format = SoundFileFormat(code: info.format)
        seeksExactly = format.encoding?.bytes != nil
        channels = Int(info.channels)
        mpeg = opened.mpeg
        isFrameCountEstimated = format.isMPEG && mpeg == nil
        isShorterThanStated = mpeg?.isCutOff ?? false
        frameCount = opened.frameCount
        longestBlock = opened.longestBlock
        endsWhole = opened.endsWhole
        ogg = try format.isOgg ? OggRecording(opened.content, info, scans: scans) : nil
        cutOff = opened.cutOff ?? ogg?.cutOff
        remarks = opened.leavesOutSound ? .lengthsDiffer : []
    }

    package var tags: [SoundFileTag: String] {
        var tags: [SoundFileTag: String] = [:]
        for tag in SoundFileTag.allCases {
            if let text = sf_get_string(file, tag.code) { tags[tag] = String(cString: text) }
        }
        return tags
    }

    /// The loudspeaker of each channel, by libsndfile's numbers; nil: not given.
    package var channelMap: [Int32]? {
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        return sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == SF_TRUE ? map : nil
    }

    /// Seeks to a frame, counted from 0.
    ///
    /// - Throws: `ClipFailure` of stage `decode`.
    package func seek(to frame: Int) throws(ClipFailure) {
        guard frame != position else { return }
        earlyEnd = nil
        try ogg?.requireSound(from: frame, count: 0, isEnd: false)
        if format.encoding == .opus {
            // Opus predicts from what it decoded before.
            try move(to: max(frame - sampleRate / Self.opusApproach, 0))
            return try skip(to: frame)
        }
        guard format.isFLAC else { return try move(to: frame) }
        if !isSingle { try requireSingle() }
        // libFLAC does not report damage in the frame that it seeks to: seek to an earlier one, and read from there.
        do throws(ClipFailure) {
            try move(to: max(frame - longestBlock, 0))
        } catch {
            // Near damage or a missing end a seek may fail, and then every later one fails, too.
            try restart()
        }
        try skip(to: frame)
    }

    /// - Throws: `ClipFailure` where several FLACs follow one another: libFLAC would find a sample in one of them or another.
    private func requireSingle() throws(ClipFailure) {
        guard let frameCount, !(scans?.isSingle(content) ?? false) else { return isSingle = true }
        if let header = HeaderBytes(content), let stream = FLACStream(header),
            FLACStreamCount.isRepeated(header, stream, frameCount: frameCount)
        {
            throw .recordingFollows(frame: frameCount)
        }
        isSingle = true
        scans?.keepSingle(content)
    }

    private func move(to frame: Int) throws(ClipFailure) {
        guard sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) == sf_count_t(frame) else {
            position = -1
            throw .cannotSeek(frame: frame, words: Self.text(of: sf_strerror(file)))
        }
        position = frame
    }

    /// Whether nothing was read.
    var isAtStart: Bool { position == 0 }

    /// Opens the recording again, at its first frame.
    ///
    /// - Throws: `ClipFailure`, such as for a recording that was replaced.
    func restart() throws(ClipFailure) {
        let opened = try OpenedFile(content, mpeg: mpeg)
        guard opened.handle.info.channels == Int32(channels), (opened.handle.source == nil) == (handle.source == nil)
        else { throw .replaced }
        handle = opened.handle
        (position, earlyEnd) = (0, nil)
    }

    private func skip(to frame: Int) throws(ClipFailure) {
        let capacity = max(1, 65_536 / channels)
        let unwanted = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channels)
        defer { unwanted.deallocate() }
        while position < frame {
            let count = try read(into: unwanted, frames: min(capacity, frame - position))
            guard count > 0 else {
                throw earlyEnd.map { .cutOff($0) } ?? .endsBefore(frame: frame, end: position)
            }
        }
    }

    /// Reads up to `frames` frames, interleaved; integer samples come as −1 … 1.
    ///
    /// A FLAC that is cut off is read up to its last whole frame, and sets `earlyEnd`.
    ///
    /// - Parameters:
    ///   - samples: Space for `frames` · `channels` numbers.
    ///   - frames: Maximum number of frames.
    /// - Returns: Frames read; 0 at the end.
    /// - Throws: `ClipFailure` of stage `decode` where the decoder reports an error.
    package func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        let start = position
        let count = try decode(into: samples, frames: frames)
        let code = errno
        try ogg?.requireSound(from: start, count: max(count, 0), isEnd: count < frames)
        if let code = handle.source?.error?.code { throw .cannotRead(SystemCallError(code)) }
        // Checked every time: a decoder may replace unreadable samples by zeros, and the next call clears the error.
        let isDamaged = sf_error(file) != SF_ERR_NO_ERROR
        let isShort = count < frames && frameCount.map { start + count < $0 } ?? isDamaged
        guard isDamaged || isShort && format.isFLAC else {
            position += count
            // Damage also shortens an MP3: only its number of bytes shows that its end is missing.
            if isShort, isShorterThanStated { earlyEnd = endingEarly(at: position) }
            return count
        }
        let failure = isDamaged ? damage(near: start + max(count, 0), code) : nil
        position = -1
        guard format.isFLAC, isShort, !endsWhole, !isSeekingBack,
            let whole = framesBeforeEnd(from: start, into: samples, frames: frames)
        else {
            throw failure ?? .missingSamples(promised: frameCount ?? 0, found: start + max(count, 0))
        }
        position = start + whole
        earlyEnd = endingEarly(at: position)
        return whole
    }

    /// Reads up to `frames` frames as integers in the upper bits of 32, interleaved: of a file that was just written, without the
    /// searches that a damaged one needs.
    ///
    /// - Returns: Frames read; 0 at the end.
    /// - Throws: `ClipFailure` of stage `decode`.
    func readIntegers(into numbers: UnsafeMutableRawPointer, frames: Int) throws(ClipFailure) -> Int {
        let integers = numbers.bindMemory(to: Int32.self, capacity: frames * channels)
        let count = Int(sf_readf_int(file, integers, sf_count_t(frames)))
        let code = errno
        guard sf_error(file) == SF_ERR_NO_ERROR else { throw damage(near: position + max(count, 0), code) }
        position += count
        return count
    }

    /// Decodes up to `frames` frames; of a FLAC no further than to the end by its header or frames.
    ///
    /// - Throws: `ClipFailure` where another FLAC follows. libFLAC stops at the length of the first one.
    private func decode(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        func read(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
            Int(sf_readf_float(file, samples, sf_count_t(count)))
        }
        guard format.isFLAC, let frameCount, position >= 0 else { return read(samples, frames) }
        let wanted = min(frames, max(frameCount - position, 0))
        guard endsWhole, wanted > 0, position + wanted == frameCount else {
            return wanted > 0 ? read(samples, wanted) : 0
        }
        // Where the file does not end with the recording, decoding one more frame is an error.
        let count = wanted > 1 ? read(samples, wanted - 1) : 0
        guard count == wanted - 1, sf_error(file) == SF_ERR_NO_ERROR else { return count }
        let last = UnsafeMutablePointer<Float>.allocate(capacity: 2 * channels)
        defer { last.deallocate() }
        guard read(last, 2) > 0 else { return count }
        guard sf_error(file) == SF_ERR_NO_ERROR else { throw .recordingFollows(frame: frameCount) }
        (samples + count * channels).update(from: last, count: channels)
        return wanted
    }

    private func endingEarly(at frame: Int) -> CutOff {
        let rate = Double(sampleRate)
        return CutOff(promised: frameCount.map { Double($0) / rate }, present: Double(frame) / rate)
    }

    /// The failure at the end of a FLAC or MP3, which its header does not show; nil: none.
    ///
    /// - Complexity: Reads a few frames.
    func failureAtEnd() -> ClipFailure? {
        guard let frameCount, frameCount > 0 else { return nil }
        let promised = Double(frameCount) / Double(sampleRate)
        if isShorterThanStated { return .cutOff(CutOff(promised: promised, present: nil)) }
        guard format.isFLAC, !endsWhole else { return nil }
        let last = UnsafeMutablePointer<Float>.allocate(capacity: channels)
        defer { last.deallocate() }
        position = -1
        let isThere =
            sf_seek(file, sf_count_t(frameCount - 1), Int32(SEEK_SET)) == sf_count_t(frameCount - 1)
            && sf_readf_float(file, last, 1) == 1 && sf_error(file) == SF_ERR_NO_ERROR
        guard !isThere else { return nil }
        return .cutOff(CutOff(promised: promised, present: nil))
    }

    /// Reads the frames before an early end again, one at a time: those without an error are whole.
    ///
    /// - Returns: The number of whole frames; nil: they are damaged.
    private func framesBeforeEnd(from start: Int, into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int? {
        isSeekingBack = true
        defer { isSeekingBack = false }
        guard (try? seek(to: start)) != nil else { return nil }
        for whole in 0..<frames {
            let sample = samples + whole * channels
            let count = sf_readf_float(file, sample, 1)
            guard count == 1 else { return whole }
            guard sf_error(file) == SF_ERR_NO_ERROR else { return nil }
        }
        return nil
    }

    private func damage(near frame: Int, _ code: Int32) -> ClipFailure {
        let words = Self.text(of: sf_strerror(file))
        let system = SystemCallError(ofSoundFile: file, code: code, words: words)
        return system.map { .cannotRead($0) } ?? .damaged(frame: frame, .decoder(words))
    }

    /// libsndfile would wait forever at a named pipe, and has no clear errors for folders and empty files.
    private static func requireRegularFile(_ content: FileContent) throws(ClipFailure) {
        guard case .file(let path) = content else {
            if case .part(let part) = content, part.count == 0 { throw .isEmptyFile }
            return
        }
        guard let status = FileStatus(path: path) else { throw .cannotOpen(SystemCallError(lookingUp: errno)) }
        guard !status.isFolder else { throw .isFolder }
        guard status.isRegular else { throw .isNotRegularFile }
        guard status.byteCount > 0 else { throw .isEmptyFile }
        guard access(path, R_OK) == 0 else { throw .cannotOpen(SystemCallError(lookingUp: errno)) }
    }

    private static func text(of message: UnsafePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? "unknown error"
        // A redundant prefix of some of libsndfile's messages.
        let prefix = "Error : "
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }
}

/// The version of libsndfile, such as `libsndfile-1.2.2`.
package func soundFileLibraryVersion() -> String { String(cString: sf_version_string()) }
