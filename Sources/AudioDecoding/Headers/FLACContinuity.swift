import FeatureModel
import FileIO

/// Shows by the headers of frames that none is missing from a part of a FLAC, without a look at the rest of the file.
///
/// The parts that it is asked about mostly follow one another; the headers of these are read once.
final class FLACContinuity {
    private let stream: FLACStream
    private var reader: FLACHeaderReader
    /// The samples of frames that follow one another. The header of the last of them was the last that was read.
    private var known = 0..<0

    /// A part of the file that is searched for a header, in bytes: headers between two others are found by bisection, down to this.
    private static let near = 1 << 16
    /// Frames that are read rather than searched for the one after them.
    private static let nearFrames = 16

    /// Nil where the file is not FLAC.
    ///
    /// - Throws: `ClipFailure` of stage `decode` where it cannot be read.
    init?(_ content: FileContent) throws(ClipFailure) {
        guard let header = HeaderBytes(content), let stream = FLACStream(header) else { return nil }
        self.stream = stream
        reader = try FLACHeaderReader(content, from: stream.firstFrameOffset)
    }

    /// Whether the frames that hold some samples follow one another.
    ///
    /// - Returns: False also where it is not known: bytes among the samples may look like the header of a frame.
    /// - Complexity: Reads the part of the file that holds the samples, and up to 64 KiB more. To find it, a frame is read for each
    ///   halving of the file.
    /// - Throws: `ClipFailure` of stage `decode` where the file cannot be read.
    func isShown(_ samples: Range<Int>) throws(ClipFailure) -> Bool {
        let isNear = samples.lowerBound <= known.upperBound + Self.nearFrames * stream.longestBlock
        if known.isEmpty || samples.lowerBound < known.lowerBound || !isNear { try approach(samples.lowerBound) }
        guard !known.isEmpty, known.lowerBound <= samples.lowerBound else { return false }
        while known.upperBound < samples.upperBound {
            guard try follow() else { return false }
        }
        return true
    }

    /// Reads the header that follows the last one; false: there is none.
    private func follow() throws(ClipFailure) -> Bool {
        let last = reader.offset + stream.maximumFrameBytes
        while reader.offset <= last, let (_, header) = try reader.next() {
            guard let found = samples(header) else { continue }
            // The frames are not in their order.
            guard found.lowerBound == known.upperBound else { break }
            known = known.lowerBound..<found.upperBound
            return true
        }
        known = 0..<0
        return false
    }

    /// Goes to a frame before a sample, or to the one that has it.
    private func approach(_ sample: Int) throws(ClipFailure) {
        var (first, end) = (stream.firstFrameOffset, reader.fileSize)
        var bounds = 0...Int.max
        while end - first > Self.near {
            let middle = first + (end - first) / 2
            guard let (offset, found) = try header(from: middle, to: end, within: bounds), found <= sample else {
                end = middle
                continue
            }
            (first, bounds) = (offset, found...bounds.upperBound)
        }
        reader.move(to: first, readsAhead: true)
        known = 0..<0
        if let (offset, header) = try reader.next(), offset == first, let found = samples(header) { known = found }
    }

    /// The first header between two offsets whose number is possible there: its offset, and the first sample of its frame.
    private func header(
        from start: Int, to end: Int, within bounds: ClosedRange<Int>
    ) throws(ClipFailure) -> (offset: Int, sample: Int)? {
        reader.move(to: start, readsAhead: false)
        while let (offset, header) = try reader.next(), offset < end {
            guard let found = samples(header), bounds.contains(found.lowerBound) else { continue }
            return (offset, found.lowerBound)
        }
        return nil
    }

    private func samples(_ header: FLACFrameHeader) -> Range<Int>? {
        header.samples(fixedBlock: stream.fixedBlock)
    }
}
