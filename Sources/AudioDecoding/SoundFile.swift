import CSndfile
import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A recording opened for reading by libsndfile.
package final class SoundFile {
    /// Path it was opened by.
    package let path: String
    /// Samples a second in each channel.
    package let sampleRate: Int
    /// Number of channels.
    package let channels: Int
    /// Frames (samples in each channel) that the header promises; nil where it does not say.
    package let frameCount: Int?

    /// Whether `frameCount` is an estimate: the recording may be longer or shorter.
    package let isFrameCountEstimated: Bool

    /// Whether samples are the same however one got to them: PCM, floating point, A-law and µ-law, FLAC included.
    package let seeksExactly: Bool

    /// Container and encoding.
    package let format: SoundFileFormat

    private let file: OpaquePointer
    private var position = 0
    /// Nil: another container than Ogg.
    private var ogg: OggRecording?

    /// Opens a regular file and reads its header.
    ///
    /// - Parameters:
    ///   - path: Where it lies.
    ///   - walks: Keeps what walks over long Ogg recordings have found.
    /// - Throws: `ClipFailure` of stage `open`, with what was found instead of a recording; of stage `decode`, where the
    ///   recording is only one of several in an Ogg file.
    package init(path: String, walks: OggWalks? = nil) throws(ClipFailure) {
        try Self.requireRegularFile(path)
        let (file, info): (OpaquePointer, SF_INFO)
        do throws(OpeningFailure) {
            (file, info) = try SoundFileOpening.open(path)
        } catch {
            throw ClipFailure(
                .open, "expected a recording that libsndfile can read: \(error.reason)",
                isOfMachine: MachineError.isNamed(in: error.reason))
        }
        guard info.channels > 0, info.samplerate > 0 else {
            sf_close(file)
            throw ClipFailure(
                .open, "expected a recording, found \(info.channels) channels at \(info.samplerate) Hz in the header")
        }
        self.file = file
        self.path = path
        sampleRate = Int(info.samplerate)
        format = SoundFileFormat(code: info.format)
        let exact = [
            SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_PCM_U8, SF_FORMAT_FLOAT,
            SF_FORMAT_DOUBLE, SF_FORMAT_ULAW, SF_FORMAT_ALAW,
        ]
        seeksExactly = exact.contains { Int($0) == Int(info.format) & Int(SF_FORMAT_SUBMASK) }
        channels = Int(info.channels)
        isFrameCountEstimated =
            Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_MPEG) && !MPEGLength.isStated(path: path)
        frameCount = info.frames >= 0 && info.frames < Int64(1) << 60 ? Int(info.frames) : nil
        if format.container == Int32(SF_FORMAT_OGG) {
            ogg = try OggRecording(
                path: path, sampleRate: sampleRate, isOpus: format.encoding == .opus, frameCount: frameCount,
                walks: walks)
        }
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
        try ogg?.requireSound(from: frame, count: 0, isEnd: false)
        guard sf_seek(file, sf_count_t(frame), Int32(SEEK_SET)) == sf_count_t(frame) else {
            position = -1
            throw ClipFailure(.decode, "cannot go to sample \(frame): \(Self.text(of: sf_strerror(file)))")
        }
        position = frame
    }

    /// Reads up to `frames` frames, interleaved; integer samples come as −1 … 1.
    ///
    /// - Parameters:
    ///   - samples: Room for `frames` · `channels` numbers.
    ///   - frames: How many frames to read at most.
    /// - Returns: Frames read; 0 at the end.
    /// - Throws: `ClipFailure` of stage `decode` where the decoder reports an error.
    package func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        let count = Int(sf_readf_float(file, samples, sf_count_t(frames)))
        try ogg?.requireSound(from: position, count: max(count, 0), isEnd: count < frames)
        if count < frames, sf_error(file) != SF_ERR_NO_ERROR {
            let reason = Self.text(of: sf_strerror(file))
            let reached = position + max(count, 0)
            position = -1
            throw ClipFailure(
                .decode,
                MachineError.isSystem(reason)
                    ? ClipFailure.unreadable + reason : "the recording is damaged near sample \(reached): \(reason)",
                isOfMachine: MachineError.isNamed(in: reason))
        }
        position += count
        return count
    }

    /// libsndfile would wait for ever at a named pipe, and says little of folders and empty files.
    private static func requireRegularFile(_ path: String) throws(ClipFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw ClipFailure(.open, "expected a recording, found a folder")
        default: throw ClipFailure(.open, "expected a recording in a regular file, found a pipe, socket or device")
        }
        guard status.st_size > 0 else {
            throw ClipFailure(.open, "expected a recording, found an empty file (0 bytes)")
        }
        guard access(path, R_OK) == 0 else { throw unreadable(errno) }
    }

    private static func unreadable(_ code: Int32) -> ClipFailure {
        ClipFailure(
            .open, ClipFailure.unreadable + text(of: strerror(code)),
            isOfMachine: MachineError.codes.contains(code) || code == EIO)
    }

    private static func text(of message: UnsafePointer<CChar>?) -> String {
        message.map { String(cString: $0) } ?? "unknown error"
    }
}

/// The version of libsndfile, such as `libsndfile-1.2.2`.
package func soundFileLibraryVersion() -> String { String(cString: sf_version_string()) }
