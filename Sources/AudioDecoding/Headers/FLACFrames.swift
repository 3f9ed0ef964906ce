import FeatureModel
import FileIO

/// Where the frames of a damaged FLAC are, by their headers.
///
/// libFLAC finds a sample by bisection, from bounds that it has from what it decoded before; in a damaged file it may give up, or decode
/// from the start and meet the damage. Which of these happens depends on what was read before. With the offset of a frame, decoding
/// starts at the frame itself, and depends on nothing else.
///
/// A header is believed for its checksum and its number, which follows that of the frame before it, is followed by that of the
/// frame after it, or fits between those of others: four bytes like the start of a frame may also be samples. Whether the samples of a frame are sound is the
/// decoder's to say.
struct FLACFrames: Sendable {
    /// Frames whose numbers follow one another.
    struct Run: Equatable, Sendable {
        /// Samples by the headers; those of the last frame may be missing, or another header.
        fileprivate(set) var samples: Range<Int>
        /// The first sample of the last frame.
        fileprivate(set) var lastFrame: Int
        /// Some of the frames, with the first one.
        fileprivate var marks: [Frame]
        private var frameCount = 1

        /// Of so many frames, the offset of one is kept: 1 MB for a day at 48 kHz.
        private static let frameStep = 16

        fileprivate init(_ frame: Frame, to end: Int) {
            (samples, lastFrame, marks) = (frame.sample..<end, frame.sample, [frame])
        }

        fileprivate mutating func add(_ frame: Frame, to end: Int) {
            if frameCount % Self.frameStep == 0 { marks.append(frame) }
            frameCount += 1
            (samples, lastFrame) = (samples.lowerBound..<end, frame.sample)
        }
    }

    /// The start of a frame.
    struct Frame: Equatable, Sendable {
        let sample: Int
        let offset: Int
    }

    /// In the order of the file.
    private(set) var runs: [Run] = []
    /// Offset of the first frame by the blocks of metadata.
    let metadataEnd: Int
    let fileSize: Int
    private let fixedBlock: Int?

    /// More runs are not kept: what follows them counts as damaged.
    private static let maximumRuns = 4096
    /// Headers that wait for the one after theirs: bytes that are nothing but headers take no longer than others.
    private static let maximumCandidates = 64

    /// Reads the headers of all frames; nil where the file is not FLAC.
    ///
    /// - Complexity: One read of the file.
    /// - Throws: `ClipFailure` of stage `decode` where it cannot be read.
    init?(_ content: FileContent) throws(ClipFailure) {
        guard let header = HeaderBytes(content), let stream = FLACStream(header) else { return nil }
        metadataEnd = stream.firstFrameOffset
        fixedBlock = stream.fixedBlock
        var reader = try FLACHeaderReader(content, from: metadataEnd)
        fileSize = reader.fileSize
        // Frames that follow no other, by the sample after them.
        var candidates: [Int: Frame] = [:]
        while let (offset, header) = try reader.next() {
            guard let samples = header.samples(fixedBlock: fixedBlock) else { continue }
            let frame = Frame(sample: samples.lowerBound, offset: offset)
            if let last = runs.indices.last, runs[last].samples.upperBound == samples.lowerBound {
                runs[last].add(frame, to: samples.upperBound)
            } else if let first = candidates[samples.lowerBound] {
                addLone(candidates, before: first)
                guard runs.count < Self.maximumRuns else { return }
                runs.append(Run(first, to: samples.lowerBound))
                runs[runs.count - 1].add(frame, to: samples.upperBound)
                candidates.removeAll()
            } else if offset == metadataEnd {
                runs.append(Run(frame, to: samples.upperBound))
            } else {
                if candidates.count == Self.maximumCandidates { candidates.removeAll() }
                candidates[samples.upperBound] = frame
            }
        }
    }

    /// Adds frames whose neighbours are both damaged: their numbers fit between those of the runs. The decoder compares a checksum of
    /// the whole frame.
    ///
    /// - Parameters:
    ///   - candidates: By the sample after them.
    ///   - next: The first frame of the next run.
    private mutating func addLone(_ candidates: [Int: Frame], before next: Frame) {
        var end = runs.last?.samples.upperBound ?? 0
        for (last, frame) in candidates.sorted(by: { $0.value.offset < $1.value.offset }) {
            guard frame.offset < next.offset, frame.sample >= end, last <= next.sample, runs.count < Self.maximumRuns
            else { continue }
            runs.append(Run(frame, to: last))
            end = last
        }
    }

    /// Whether their numbers leave none out.
    var isGapless: Bool { runs.count <= 1 }

    /// The run that a sample is in; nil: none.
    func run(at sample: Int) -> Run? { runs.first { $0.samples.contains(sample) } }

    /// The run that nothing follows, by its bytes and its samples; nil: none is so. Where it ends, the file ends, too.
    var end: Run? {
        runs.last.flatMap { last in runs.allSatisfy { $0.samples.upperBound <= last.samples.upperBound } ? last : nil }
    }

    /// That run, if it ends before a sample; nil: there is none, or it does not.
    func end(before sample: Int) -> Run? { end.flatMap { $0.samples.upperBound <= sample ? $0 : nil } }

    /// The metadata, and the file from a frame on.
    func layout(from frame: Frame) -> SourceLayout {
        SourceLayout([0..<metadataEnd, frame.offset..<fileSize], trailer: 0..<0, slack: 0, patches: [])
    }

    /// Whether no other header is between the frames of a run that hold some samples: libFLAC puts silence where frames are in another
    /// order.
    ///
    /// - Throws: `ClipFailure` of stage `decode` where it cannot be read.
    func areNeighbours(_ samples: Range<Int>, in run: Run, _ content: FileContent) throws(ClipFailure) -> Bool {
        guard let first = try frame(at: samples.lowerBound, in: run, content) else { return false }
        var reader = try FLACHeaderReader(content, from: first.offset)
        var end = first.sample
        while end < samples.upperBound {
            guard let (_, header) = try reader.next() else { return false }
            guard let found = header.samples(fixedBlock: fixedBlock) else { continue }
            guard found.lowerBound == end else { return false }
            end = found.upperBound
        }
        return true
    }

    /// The frame of a run that a sample is in; nil: the file has changed.
    ///
    /// - Throws: `ClipFailure` of stage `decode` where it cannot be read.
    func frame(at sample: Int, in run: Run, _ content: FileContent) throws(ClipFailure) -> Frame? {
        let index = run.marks.partitioningIndex { $0.sample > sample }
        guard index > 0 else { return nil }
        var found = run.marks[index - 1]
        var reader = try FLACHeaderReader(content, from: found.offset)
        var end = found.sample
        while end <= sample {
            guard let (offset, header) = try reader.next() else { return nil }
            guard let samples = header.samples(fixedBlock: fixedBlock), samples.lowerBound == end else { continue }
            (found, end) = (Frame(sample: end, offset: offset), samples.upperBound)
        }
        return found
    }
}
