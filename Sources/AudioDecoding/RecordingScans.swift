import FeatureModel
import FileIO

/// Scans of recordings whose headers do not show their length or damage, so that each is scanned once for all its segments.
package final class RecordingScans {
    private var pages: [ContentStatus: OggPages] = [:]
    private var lengths: [ContentStatus: MPEGLength] = [:]
    private var singles: [ContentStatus: Void] = [:]
    private var gapless: [ContentStatus: Void] = [:]
    private var frames: [ContentStatus: FLACFrames] = [:]
    private static let maximumCount = 1024
    /// Frames of a recording of a day take a megabyte, and clips of one mostly follow one another.
    static let maximumFrames = 16

    package init() {}

    /// All pages of an Ogg recording.
    ///
    /// - Parameter identity: Status of the bytes before they were opened; nil: unknown.
    /// - Throws: `ClipFailure` of stage `decode` where it cannot be read.
    func pages(of identity: ContentStatus?, _ content: FileContent) throws(ClipFailure) -> OggPages {
        if let identity, let pages = pages[identity] { return pages }
        let found = try OggPages(content)
        if let identity { Self.keep(found, of: identity, in: &pages) }
        return found
    }

    /// The length of MPEG audio that was opened before; nil: it was not, or has changed.
    func length(of content: FileContent) -> MPEGLength? {
        lengths.isEmpty ? nil : content.status.flatMap { lengths[$0] }
    }

    /// Keeps the length of MPEG audio.
    func keep(_ length: MPEGLength, of content: FileContent) {
        if let identity = content.status { Self.keep(length, of: identity, in: &lengths) }
    }

    /// Whether a FLAC was found to be the only one in its file.
    func isSingle(_ content: FileContent) -> Bool {
        !singles.isEmpty && content.status.map { singles[$0] != nil } ?? false
    }

    /// Keeps that a FLAC is the only one in its file.
    func keepSingle(_ content: FileContent) {
        if let identity = content.status { Self.keep((), of: identity, in: &singles) }
    }

    /// Whether a FLAC was found to miss no frame.
    func isGapless(_ content: FileContent) -> Bool {
        !gapless.isEmpty && content.status.map { gapless[$0] != nil } ?? false
    }

    /// Keeps that a FLAC misses no frame.
    func keepGapless(_ content: FileContent) {
        if let identity = content.status { Self.keep((), of: identity, in: &gapless) }
    }

    /// The frames of a FLAC that was found to be damaged; nil: it was not, or has changed.
    func frames(of content: FileContent) -> FLACFrames? {
        frames.isEmpty ? nil : content.status.flatMap { frames[$0] }
    }

    /// Keeps the frames of a damaged FLAC.
    func keep(_ found: FLACFrames, of content: FileContent) {
        if let identity = content.status { Self.keep(found, of: identity, in: &frames, atMost: Self.maximumFrames) }
    }

    private static func keep<Scan>(
        _ scan: Scan, of identity: ContentStatus, in scans: inout [ContentStatus: Scan],
        atMost maximumCount: Int = maximumCount
    ) {
        if scans.count == maximumCount { scans.removeAll() }
        scans[identity] = scan
    }
}
