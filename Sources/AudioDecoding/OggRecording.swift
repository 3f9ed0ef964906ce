import CSndfile
import FeatureModel
import FileIO

/// Refuses what libsndfile decodes from damaged, missing or cut-off pages of an Ogg recording.
struct OggRecording {
    /// What is left of a recording that is cut off; nil: it is complete, as far as its last pages tell.
    let cutOff: CutOff?

    private let path: String
    /// Samples a second by which granule positions count.
    private let clock: Int
    private let sampleRate: Int
    /// Length by libsndfile; only where it knows that, it searches for pages.
    private let frameCount: Int?
    /// Of the ends of the file, or of all of it once something is read.
    private var pages: OggPages
    private let walks: OggWalks?
    private let identity: FileStatus?

    /// What libsndfile decodes before it reaches the start of a clip, in seconds, is 2 at most if it can search for pages.
    private static let approach = 3

    /// Looks at the first pages and the last ones.
    ///
    /// - Parameters:
    ///   - path: Where the recording lies.
    ///   - info: What libsndfile says of it.
    ///   - walks: Keeps what walks over long recordings have found.
    /// - Throws: `ClipFailure` of stage `decode` where another recording follows in the file, or it cannot be read.
    init(path: String, _ info: SF_INFO, walks: OggWalks?) throws(ClipFailure) {
        self.path = path
        sampleRate = Int(info.samplerate)
        // Opus counts so, whatever the rate.
        clock = SoundFileFormat(code: info.format).encoding == .opus ? 48_000 : sampleRate
        frameCount = info.frameCount
        self.walks = walks
        identity = FileStatus(path: path)
        pages = try OggPages(path: path, endsOnly: true)
        if pages.isChained { throw .chainedOgg }
        // Granule positions of Opus count some milliseconds in front of the recording, too.
        let samples = max(0, (pages.lastGranule ?? 0) - pages.firstGranule)
        var length = Double(samples) / Double(clock)
        if let frameCount { length = Double(frameCount) / Double(sampleRate) }
        cutOff = pages.isCutOff ? CutOff(promised: nil, present: length) : nil
    }

    /// Goes over all pages, once, and refuses samples that damage may have reached.
    ///
    /// - Parameters:
    ///   - start: The first frame, from 0.
    ///   - count: Number of frames.
    ///   - isEnd: Whether the recording ends with them.
    /// - Throws: `ClipFailure` of stage `decode`.
    mutating func requireSound(from start: Int, count: Int, isEnd: Bool) throws(ClipFailure) {
        if !pages.isWhole {
            pages = if let walks { try walks.pages(of: identity, path: path) } else { try OggPages(path: path) }
            if pages.isChained { throw .chainedOgg }
        }
        // Where libsndfile does not know the length, neither is it known to the sample where the recording begins.
        let margin = frameCount == nil ? sampleRate : 0
        for damage in pages.damage {
            let first = damage.start.map { max(0, frame($0) - margin) } ?? 0
            let end = damage.end.map(frame) ?? .max
            let isBefore = frameCount != nil && end < start - Self.approach * sampleRate
            guard isEnd || first <= start + count, !isBefore || damage.start == nil else { continue }
            throw .damaged(frame: first, damage.cause)
        }
        // What the last pages alone could not tell.
        if isEnd, pages.isCutOff, cutOff == nil {
            throw .cutOff(CutOff(promised: nil, present: nil))
        }
    }

    /// The frame at a granule position. Those of Opus begin before the recording, by what the encoder has put in front.
    private func frame(_ granule: Int) -> Int {
        var origin = Double(pages.firstGranule)
        let ratio = Double(sampleRate) / Double(clock)
        if let frameCount, let last = pages.lastGranule { origin = Double(last) - Double(frameCount) / ratio }
        // A file may say anything.
        return Int(min(max(0, (Double(granule) - origin) * ratio), 0x1p60))
    }
}
