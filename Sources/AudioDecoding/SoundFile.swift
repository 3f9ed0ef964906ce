import CSndfile
import FeatureModel
import Platform

/// A recording opened for reading by libsndfile.
package final class SoundFile {
    /// Path it was opened by.
    package let path: String
    /// Samples a second in each channel.
    package let sampleRate: Int
    /// Number of channels.
    package let channels: Int
    /// Frames (samples in each channel) that are there, as far as the header tells; nil where it does not say.
    package let frameCount: Int?

    /// Whether `frameCount` is an estimate: the recording may be longer or shorter.
    package let isFrameCountEstimated: Bool

    /// Whether samples are the same however one got to them: PCM, floating point, A-law and µ-law, FLAC included.
    package let seeksExactly: Bool

    /// Container and encoding.
    package let format: SoundFileFormat

    /// How much is missing at the recording's end, as far as its header tells; nil: nothing.
    package let cutOff: CutOff?

    /// How much is missing, as the last read has found; nil: it found no early end.
    package private(set) var earlyEnd: CutOff?

    /// Whether an MP3 says that it has more bytes than there are.
    private let isShorterThanStated: Bool
    private var file: OpaquePointer
    /// What `file` reads from, where that is not the file itself.
    private let source: PatchedFile?
    private var position = 0
    /// Nil: another container than Ogg.
    private var ogg: OggRecording?
    /// Maximum samples of a frame of FLAC.
    private let longestBlock: Int
    /// Whether a FLAC ends with the frame that it should end with: what is missing then is damaged, not cut off.
    private let endsWhole: Bool
    /// Whether what was read before is being read again.
    private var isSeekingBack = false

    /// Opens a regular file and reads its header.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - walks: Keeps the pages of long Ogg recordings.
    /// - Throws: `ClipFailure` of stage `open`, with what was found instead of a recording; of stage `decode`, where the
    ///   recording is only one of several in an Ogg file.
    package init(path: String, walks: OggWalks? = nil) throws(ClipFailure) {
        try Self.requireRegularFile(path)
        let opened = try OpenedFile(path: path)
        let info = opened.info
        guard info.channels > 0, info.samplerate > 0 else {
            sf_close(opened.file)
            throw .invalidHeader(channels: Int(info.channels), sampleRate: Int(info.samplerate))
        }
        file = opened.file
        source = opened.source
        self.path = path
        sampleRate = Int(info.samplerate)
        format = SoundFileFormat(code: info.format)
        seeksExactly = format.encoding?.bytes != nil
        channels = Int(info.channels)
        let length = format.isMPEG ? MPEGLength(path: path) : nil
        isFrameCountEstimated = length.map { !$0.isStated } ?? false
        isShorterThanStated = length?.isCutOff ?? false
        frameCount = opened.frameCount
        longestBlock = opened.longestBlock
        endsWhole = opened.endsWhole
        do throws(ClipFailure) {
            ogg = try format.isOgg ? OggRecording(path: path, opened.info, walks: walks) : nil
        } catch {
            sf_close(opened.file)
            throw error
        }
        cutOff = opened.cutOff ?? ogg?.cutOff
    }

    deinit { sf_close(file) }

    /// Title, artist and the like, as far as the recording has them.
    package var tags: [SoundFileTag: String] {
        var tags: [SoundFileTag: String] = [:]
        for tag in SoundFileTag.allCases {
            if let text = sf_get_string(file, tag.code) { tags[tag] = String(cString: text) }
        }
        return tags
    }

    /// Which loudspeaker each channel is for, by libsndfile's numbers; nil where the recording does not say.
    package var channelMap: [Int32]? {
        var map = [Int32](repeating: 0, count: channels)
        let size = Int32(channels * MemoryLayout<Int32>.size)
        return sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) == SF_TRUE ? map : nil
    }

    /// Goes to a frame, counted from 0.
    ///
    /// - Throws: `ClipFailure` of stage `decode`.
    package func seek(to frame: Int) throws(ClipFailure) {
        guard frame != position else { return }
        earlyEnd = nil
        try ogg?.requireSound(from: frame, count: 0, isEnd: false)
        guard format.isFLAC else { return try go(to: frame) }
        // libFLAC reports no damage in the frame that it seeks to: seek to an earlier one, and read from there.
        do throws(ClipFailure) {
            try go(to: max(frame - longestBlock, 0))
        } catch {
            // Near damage, or where the end is missing, a seek may fail, and then every later one does.
            try reopen()
        }
        try skip(to: frame)
    }

    private func go(to frame: Int) throws(ClipFailure) {
        guard sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) == sf_count_t(frame) else {
            position = -1
            throw .cannotSeek(frame: frame, words: Self.text(of: sf_strerror(file)))
        }
        position = frame
    }

    private func reopen() throws(ClipFailure) {
        let opened = try OpenedFile(path: path)
        guard opened.info.channels == Int32(channels), opened.source == nil else {
            sf_close(opened.file)
            throw .replaced
        }
        sf_close(file)
        file = opened.file
        position = 0
    }

    /// Reads on to a frame.
    private func skip(to frame: Int) throws(ClipFailure) {
        let room = max(1, 65_536 / channels)
        let unwanted = UnsafeMutablePointer<Float>.allocate(capacity: room * channels)
        defer { unwanted.deallocate() }
        while position < frame {
            let count = try read(into: unwanted, frames: min(room, frame - position))
            guard count > 0 else {
                throw earlyEnd.map { .cutOff($0) } ?? .endsBefore(frame: frame, end: position)
            }
        }
    }

    /// Reads up to `frames` frames, interleaved; integer samples come as −1 … 1.
    ///
    /// A FLAC stream that breaks off is read up to its last whole frame, and `earlyEnd` says so.
    ///
    /// - Parameters:
    ///   - samples: Room for `frames` · `channels` numbers.
    ///   - frames: How many frames to read at most.
    /// - Returns: Frames read; 0 at the end.
    /// - Throws: `ClipFailure` of stage `decode` where the decoder reports an error.
    package func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        let start = position
        let count = Int(sf_readf_float(file, samples, sf_count_t(frames)))
        let code = errno
        try ogg?.requireSound(from: start, count: max(count, 0), isEnd: count < frames)
        // Asked each time: a decoder may fill what it cannot read with zeros, and the next call forgets the error.
        let isDamaged = sf_error(file) != SF_ERR_NO_ERROR
        let isShort = count < frames && frameCount.map { start + count < $0 } ?? isDamaged
        guard isDamaged || isShort && format.isFLAC else {
            position += count
            // Damage shortens an MP3, too: only the number of its bytes tells that its end is missing.
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

    private func endingEarly(at frame: Int) -> CutOff {
        let rate = Double(sampleRate)
        return CutOff(promised: frameCount.map { Double($0) / rate }, present: Double(frame) / rate)
    }

    /// What is wrong at the end of a FLAC or MP3 that the header does not tell; nil: nothing.
    ///
    /// - Complexity: Reads a few frames, wherever they are.
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

    /// Reads what ended too early again, a frame at a time: samples that come without an error are whole.
    ///
    /// - Returns: How many frames there are; nil: they are damaged.
    private func framesBeforeEnd(
        from start: Int, into samples: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int? {
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

    /// libsndfile would wait forever at a named pipe, and says little of folders and empty files.
    private static func requireRegularFile(_ path: String) throws(ClipFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .cannotOpen(SystemCallError(lookingUp: errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder
        default: throw .isNotRegularFile
        }
        guard status.st_size > 0 else { throw .isEmptyFile }
        guard access(path, R_OK) == 0 else { throw .cannotOpen(SystemCallError(lookingUp: errno)) }
    }

    private static func text(of message: UnsafePointer<CChar>?) -> String {
        let text = message.map { String(cString: $0) } ?? "unknown error"
        // Some of libsndfile's sentences start so; that the clip has failed says as much.
        let prefix = "Error : "
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }
}

/// The version of libsndfile, such as `libsndfile-1.2.2`.
package func soundFileLibraryVersion() -> String { String(cString: sf_version_string()) }
