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
    /// Whether all frames of a FLAC were found to follow one another.
    private var hasNoGap = false
    /// Where frames of a FLAC follow one another; nil: not asked yet.
    private var continuity: FLACContinuity?
    private let scans: RecordingScans?
    /// The frames of a FLAC, once there was an error; nil: there was none.
    private var frames: FLACFrames?
    /// Those of them that are being decoded; nil: libFLAC has all of the file.
    private var run: FLACFrames.Run?

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
        if frames == nil { frames = scans?.frames(of: content) }
        if frames == nil, try isFound(frame) { return }
        try start(at: frame)
    }

    /// Seeks in a FLAC by libFLAC; false: it reports an error.
    private func isFound(_ frame: Int) throws(ClipFailure) -> Bool {
        do throws(ClipFailure) {
            // libFLAC does not report damage in the frame that it seeks to: seek to an earlier one, and read from there.
            try move(to: max(frame - longestBlock, 0))
            try skip(to: frame)
            return true
        } catch {
            guard error.isOfDecoder else { throw error }
            return false
        }
    }

    /// Starts decoding a damaged FLAC at the frame that has a sample.
    ///
    /// Where libFLAC searches for it depends on what was decoded before: whether a clip fails may not.
    private func start(at sample: Int) throws(ClipFailure) {
        position = -1
        if frames == nil {
            frames = try FLACFrames(content)
            if let frames { scans?.keep(frames, of: content) }
        }
        guard let frames else { throw .damaged(frame: sample, .flacFrames) }
        // The end of a recording that is cut off is known only once its last frame is decoded.
        guard let run = frames.run(at: sample) ?? (endsWhole ? nil : frames.end(before: sample)) else {
            throw .damaged(frame: sample, .flacFrames)
        }
        guard let first = try frames.frame(at: min(sample, run.lastFrame), in: run, content) else { throw .replaced }
        guard let source = PatchedFile(content, frames.layout(from: first)) else {
            throw .cannotRead(SystemCallError(errno))
        }
        let opened = SoundFileOpening.open(source)
        if let code = source.error?.code { throw .cannotRead(SystemCallError(code)) }
        guard let opened, opened.info.channels == Int32(channels) else { throw .replaced }
        handle = opened
        self.run = run
        (position, earlyEnd) = (first.sample, nil)
        try skip(to: sample)
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
        let isSame = run != nil || (opened.handle.source == nil) == (handle.source == nil)
        guard opened.handle.info.channels == Int32(channels), isSame else { throw .replaced }
        handle = opened.handle
        run = nil
        (position, earlyEnd) = (0, nil)
    }

    private func skip(to frame: Int) throws(ClipFailure) {
        let capacity = max(1, 65_536 / channels)
        let unwanted = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channels)
        defer { unwanted.deallocate() }
        while position < frame {
            let count = try attempt(into: unwanted, frames: min(capacity, frame - position))
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
        do throws(ClipFailure) { return try attempt(into: samples, frames: frames) } catch {
            guard format.isFLAC, run == nil, start >= 0, error.isOfDecoder else { throw error }
            try self.start(at: start)
            return try attempt(into: samples, frames: frames)
        }
    }

    /// Reads up to `frames` frames, of a damaged FLAC to the end of a run of frames.
    private func attempt(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        let start = position
        if let run { return try read(run, into: samples, frames: frames) }
        let count = try decode(into: samples, frames: frames)
        let code = errno
        try ogg?.requireSound(from: start, count: max(count, 0), isEnd: count < frames)
        if let code = handle.source?.error?.code { throw .cannotRead(SystemCallError(code)) }
        // Checked every time: a decoder may replace unreadable samples by zeros, and the next call clears the error.
        let isDamaged = sf_error(file) != SF_ERR_NO_ERROR
        let isShort = count < frames && frameCount.map { start + count < $0 } ?? isDamaged
        guard !isDamaged, !(isShort && format.isFLAC) else {
            position = -1
            guard isDamaged else { throw .missingSamples(promised: frameCount ?? 0, found: start + max(count, 0)) }
            throw damage(near: start + max(count, 0), code)
        }
        if format.isFLAC, FLACSilence.isPossible(in: samples, frames: count, channels: channels),
            try !isGapless(start..<position + count)
        {
            position = -1
            throw .damaged(frame: start, .flacFrames)
        }
        position += count
        // Damage also shortens an MP3: only its number of bytes shows that its end is missing.
        if isShort, isShorterThanStated { earlyEnd = endingEarly(at: position) }
        return count
    }

    /// Whether a FLAC has all frames that hold these samples, by the numbers in their headers.
    private func isGapless(_ samples: Range<Int>) throws(ClipFailure) -> Bool {
        if let frames { return frames.isGapless }
        if hasNoGap || scans?.isGapless(content) ?? false { return true }
        if continuity == nil { continuity = try FLACContinuity(content) }
        if let continuity, try continuity.isShown(samples) { return true }
        guard let found = try FLACFrames(content), !found.isGapless else {
            hasNoGap = true
            scans?.keepGapless(content)
            return true
        }
        frames = found
        scans?.keep(found, of: content)
        return false
    }

    /// Whether samples that were read of a run are not silence for frames that are elsewhere.
    private func isComplete(
        _ run: FLACFrames.Run, _ samples: UnsafePointer<Float>, _ range: Range<Int>
    ) throws(ClipFailure) -> Bool {
        guard FLACSilence.isPossible(in: samples, frames: range.count, channels: channels) else { return true }
        return try frames?.areNeighbours(range, in: run, content) ?? false
    }

    /// Reads frames of a damaged FLAC, up to the last frame of a run or its end.
    private func read(
        _ run: FLACFrames.Run, into samples: UnsafeMutablePointer<Float>, frames: Int
    ) throws(ClipFailure) -> Int {
        let start = position
        guard start != frameCount else { return 0 }
        // What is before the last frame is whole, or there is damage; the last one may be cut off.
        let isLast = start >= run.lastFrame
        let end = min(isLast ? run.samples.upperBound : run.lastFrame, frameCount ?? .max)
        let wanted = min(frames, end - start)
        var isCut = isLast
        if wanted > 0 {
            let count = Int(sf_readf_float(file, samples, sf_count_t(wanted)))
            if let code = handle.source?.error?.code { throw .cannotRead(SystemCallError(code)) }
            if count == wanted, sf_error(file) == SF_ERR_NO_ERROR,
                try isComplete(run, samples, start..<start + count)
            {
                position += count
                return count
            }
            isCut = isLast && count == 0
        }
        guard isCut, !endsWhole, run == self.frames?.end else {
            // libFLAC's own words depend on where decoding started.
            position = -1
            throw .damaged(frame: start, .flacFrames)
        }
        earlyEnd = endingEarly(at: start)
        return 0
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

    /// The failure at the end of a FLAC or MP3, which its header does not show: a cut, or that it cannot be read; nil: none.
    ///
    /// - Complexity: Reads a few frames.
    func failureAtEnd() -> ClipFailure? {
        guard let frameCount, frameCount > 0 else { return nil }
        let promised = Double(frameCount) / Double(sampleRate)
        if isShorterThanStated { return .cutOff(CutOff(promised: promised, present: nil)) }
        guard format.isFLAC, !endsWhole else { return nil }
        let last = UnsafeMutablePointer<Float>.allocate(capacity: channels)
        defer { last.deallocate() }
        // Where libFLAC searches depends on what was decoded before.
        do throws(ClipFailure) { try restart() } catch { return error }
        position = -1
        let isThere =
            sf_seek(file, sf_count_t(frameCount - 1), Int32(SEEK_SET)) == sf_count_t(frameCount - 1)
            && sf_readf_float(file, last, 1) == 1 && sf_error(file) == SF_ERR_NO_ERROR
        let code = errno
        guard !isThere else { return nil }
        if let code = handle.source?.error?.code { return .cannotRead(SystemCallError(code)) }
        let words = Self.text(of: sf_strerror(file))
        if let system = SystemCallError(ofSoundFile: file, code: code, words: words) { return .cannotRead(system) }
        return .cutOff(CutOff(promised: promised, present: nil))
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

extension ClipFailure {
    /// Whether a decoder that starts elsewhere, or has read nothing else, may read the samples.
    fileprivate var isOfDecoder: Bool { [.damaged, .missingSamples, .cannotSeek, .endsBefore].contains(kind) }
}

/// The version of libsndfile, such as `libsndfile-1.2.2`.
package func soundFileLibraryVersion() -> String { String(cString: sf_version_string()) }
