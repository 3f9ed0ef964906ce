import FeatureModel
import FileIO

/// The length of an MPEG audio recording (MP3 and older layers), and how libsndfile has to be given its bytes to read all of it.
///
/// The tag in the first frame is believed where its own checksum is right and it ends with the file: then nothing is scanned.
/// Otherwise the headers of all frames are read (`MPEGFrames` says what that costs). Without a tag, libsndfile takes the size of
/// the file divided by that of the first frame for the length, and reads no further. If the tag is wrong, or that of the first of
/// several recordings, libsndfile ends where the tag says.
struct MPEGLength: Sendable {
    /// The bytes to read in place of the file; nil: the file as it is.
    let layout: SourceLayout?
    /// Samples of each channel; nil: as many as libsndfile says.
    let sampleCount: Int?
    /// Samples by a tag that gives more than are present, which libsndfile does not read; nil: none.
    let promised: Int?
    /// Whether a tag that libsndfile reads gives more than is present.
    let isCutOff: Bool
    /// Whether all frames were counted.
    let isScanned: Bool

    /// Bytes that a stream without a tag pretends to have for each frame: more than the longest one, so that libsndfile takes it
    /// for longer than it is, and reads to its end.
    private static let pretendedFrameBytes = MPEGFrameHeader.maximumFrameBytes
    /// By so many samples mpg123 is late, and leaves them out at the start where there is a tag.
    private static let decoderDelay = 529

    /// Determines the length.
    ///
    /// - Parameters:
    ///   - range: The bytes of the stream in a container; nil: the whole file.
    ///   - opensAsItIs: Whether libsndfile opens the file as it is; otherwise it is given the frames alone.
    /// - Returns: Nil where there are no frames.
    /// - Throws: `ClipFailure` where a stream of another kind follows, or the file cannot be read.
    init?(_ content: FileContent, in range: Range<Int>? = nil, opensAsItIs: Bool = true) throws(ClipFailure) {
        guard var frames = MPEGFrames(content, in: range) else { return nil }
        let opensAsItIs = range == nil && opensAsItIs
        if opensAsItIs, let tag = frames.tag, tag.isRead, tag.isIntact, tag.frames != nil, let end = frames.statedEnd,
            end >= frames.streamEnd
        {
            self.init(isCutOff: end > frames.streamEnd, isScanned: false)
            return
        }
        try frames.scan()
        guard frames.count > 0 else { return nil }
        if range == nil, !opensAsItIs {
            // Bytes of anything else may look like a few frames.
            guard 2 * frames.runs.reduce(0, { $0 + $1.count }) >= frames.streamEnd - frames.tagsEnd else { return nil }
        }
        let found = frames.count - 1
        let samples = frames.kind.frameSamples
        guard let tag = frames.tag else {
            self.init(frames, leavingOutFirst: false, promised: nil)
            return
        }
        let stated = tag.frames.flatMap { field -> Int? in
            // Where the tag gives no bytes, one frame too many is not a loss: some programs count that of the tag.
            let isMore =
                frames.statedEnd.map { $0 > frames.streamEnd && field.value > found } ?? (field.value > found + 1)
            return isMore ? field.value * samples : nil
        }
        guard tag.isRead, let field = tag.frames else {
            self.init(frames, leavingOutFirst: true, promised: stated)
            return
        }
        let isWhole = opensAsItIs && frames.runs.count == 1
        guard stated == nil, !isWhole || field.value != found || frames.missing > 0 else {
            self.init(layout: isWhole ? nil : SourceLayout(frames), isCutOff: stated != nil)
            return
        }
        var patches = [frames.patch(field, found)]
        if let bytes = tag.bytes { patches.append(frames.patch(bytes, frames.runs.reduce(0) { $0 + $1.count })) }
        // The tag is that of a first part: what its encoder added at the end is not at the end of the stream. Like ffmpeg, leave
        // nothing out there.
        if field.value < found, let end = frames.statedEnd, end < frames.streamEnd, let gaps = tag.gaps {
            patches.append(frames.patch(gaps, padding: Self.decoderDelay))
        }
        self.init(
            layout: SourceLayout(frames, patches: patches),
            promised: frames.promised(with: found))
    }

    private init(
        layout: SourceLayout? = nil, sampleCount: Int? = nil, promised: Int? = nil, isCutOff: Bool = false,
        isScanned: Bool = true
    ) {
        (self.layout, self.sampleCount) = (layout, sampleCount)
        (self.promised, self.isCutOff, self.isScanned) = (promised, isCutOff, isScanned)
    }

    /// A stream that is read without a tag.
    ///
    /// - Parameter first: Whether the first frame is left out.
    private init(_ frames: MPEGFrames, leavingOutFirst first: Bool, promised: Int?) {
        let count = frames.count - (first ? 1 : 0)
        self.init(
            layout: SourceLayout(
                frames, leavingOut: first ? frames.firstFrameBytes : 0, slack: (count + 16) * Self.pretendedFrameBytes),
            sampleCount: count * frames.kind.frameSamples,
            promised: promised ?? frames.promised(with: count))
    }
}

extension MPEGFrames {
    /// Samples that the stream would have with the frames that are missing, of which `count` exist; nil: none is missing.
    fileprivate func promised(with count: Int) -> Int? { missing > 0 ? (count + missing) * kind.frameSamples : nil }

    fileprivate func patch(_ field: MPEGTag.Field, _ value: Int) -> SourceLayout.Patch {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        return SourceLayout.Patch(offset: start + field.offset, bytes: bytes)
    }

    fileprivate func patch(_ gaps: MPEGTag.Gaps, padding: Int) -> SourceLayout.Patch {
        let bytes = [gaps.delay >> 4, gaps.delay << 4 | padding >> 8, padding].map { UInt8(truncatingIfNeeded: $0) }
        return SourceLayout.Patch(offset: start + gaps.offset, bytes: bytes)
    }
}

extension SourceLayout {
    /// The frames of a stream, and a tag at the very end, but no tag before the frames: libsndfile refuses some kinds of tags there, and
    /// several of them.
    ///
    /// - Parameters:
    ///   - skipped: Bytes that are left out at its start.
    ///   - slack: Bytes that the stream seems to be longer.
    fileprivate init(_ frames: MPEGFrames, leavingOut skipped: Int = 0, patches: [Patch] = [], slack: Int = 0) {
        var runs = frames.runs
        if let first = runs.first { runs[0] = min(first.lowerBound + skipped, first.upperBound)..<first.upperBound }
        self.init(runs, trailer: frames.trailer, slack: slack, patches: patches)
    }
}
