import CSndfile
import FeatureModel
import FileIO

/// Refuses samples from damaged, missing or cut-off pages of an Ogg recording.
struct OggRecording {
    /// The present part of a recording that is cut off; nil: by its last pages, it is complete.
    let cutOff: CutOff?

    private let content: FileContent
    /// Granule positions per second.
    private let clock: Int
    private let sampleRate: Int
    /// Length by libsndfile, which searches for pages only where it knows the length.
    private let frameCount: Int?
    /// Scan of the file's ends; of the whole file once something is read.
    private var pages: OggPages
    private let scans: RecordingScans?
    private let identity: ContentStatus?

    /// Seconds before a clip that libsndfile may decode on its way: up to 2 where it can search for pages.
    private static let approach = 3

    /// Scans the first and last pages.
    ///
    /// - Parameter scans: Keeps the scans of long recordings.
    /// - Throws: `ClipFailure` of stage `decode` where another recording follows in the file, or it cannot be read.
    init(_ content: FileContent, _ info: SF_INFO, scans: RecordingScans?) throws(ClipFailure) {
        self.content = content
        sampleRate = Int(info.samplerate)
        // Opus always counts at this rate.
        clock = SoundFileFormat(code: info.format).encoding == .opus ? 48_000 : sampleRate
        frameCount = info.frameCount
        self.scans = scans
        identity = content.status
        pages = try OggPages(content, endsOnly: true)
        if pages.isChained { throw .chainedOgg }
        // Granule positions of Opus include the encoder's delay before the recording.
        let samples = max(0, (pages.lastGranule ?? 0) - pages.firstGranule)
        var length = Double(samples) / Double(clock)
        if let frameCount { length = Double(frameCount) / Double(sampleRate) }
        if let page = pages.wrongEnd { throw .damaged(frame: Int(length * Double(sampleRate)), .oggPage(page)) }
        cutOff = pages.isCutOff ? CutOff(promised: nil, present: length) : nil
    }

    /// Scans all pages, once, and refuses samples that damage may have reached.
    ///
    /// - Parameters:
    ///   - start: The first frame, from 0.
    ///   - count: Number of frames.
    ///   - isEnd: Whether the recording ends with them.
    /// - Throws: `ClipFailure` of stage `decode`.
    mutating func requireSound(from start: Int, count: Int, isEnd: Bool) throws(ClipFailure) {
        if !pages.isWhole {
            pages = if let scans { try scans.pages(of: identity, content) } else { try OggPages(content) }
            if pages.isChained { throw .chainedOgg }
        }
        // Without a length from libsndfile, the start of the recording is not known to the sample.
        let margin = frameCount == nil ? sampleRate : 0
        for damage in pages.damage {
            let first = damage.start.map { max(0, frame($0) - margin) } ?? 0
            let end = damage.end.map(frame) ?? .max
            let isBefore = frameCount != nil && end < start - Self.approach * sampleRate
            guard isEnd || first <= start + count, !isBefore || damage.start == nil else { continue }
            throw .damaged(frame: first, damage.cause)
        }
        // A cut that the last pages alone do not show.
        if isEnd, pages.isCutOff, cutOff == nil { throw .cutOff(CutOff(promised: nil, present: nil)) }
    }

    /// The frame at a granule position. Those of Opus start before the recording, by the encoder's delay.
    private func frame(_ granule: Int) -> Int {
        var origin = Double(pages.firstGranule)
        let ratio = Double(sampleRate) / Double(clock)
        if let frameCount, let last = pages.lastGranule { origin = Double(last) - Double(frameCount) / ratio }
        // Bounded, since a file may claim anything.
        return Int(min(max(0, (Double(granule) - origin) * ratio), 0x1p60))
    }
}
