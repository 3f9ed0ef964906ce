import FeatureModel

/// The frames of a recording that a clip covers.
struct FrameRange {
    let start: Int
    /// Nil: to the end.
    let count: Int?
    /// Whether the recording is cut off before the clip's end.
    private(set) var isTruncated = false

    private init(start: Int, count: Int?, isTruncated: Bool = false) {
        (self.start, self.count, self.isTruncated) = (start, count, isTruncated)
    }

    /// Finds them by the header. Nothing is refused because of an estimated length. A clip before the cut of a recording is whole.
    ///
    /// - Throws: `ClipFailure` where the recording does not have them, or is cut off before and that is not allowed.
    init(of clip: Clip, in file: any SampleSource, _ policy: RecordingPolicy) throws(ClipFailure) {
        let rate = Double(file.sampleRate)
        let frameCount = file.isFrameCountEstimated ? nil : file.frameCount
        let cut = file.cutOff
        // The frame of the cut, as far as it is known before decoding.
        let present = cut.map { $0.present.map { Int(($0 * rate).rounded()) } ?? .max } ?? frameCount
        /// The present part of a clip up to its end; nil: the end of the recording.
        func range(_ start: Int, _ end: Int?) throws(ClipFailure) -> FrameRange {
            guard let cut, end.map({ $0 > present ?? .max }) ?? true else {
                return FrameRange(start: start, count: end.map { $0 - start })
            }
            guard policy.truncated == .keep, start < present ?? .max else {
                throw .cutOff(policy.truncated == .keep && start == 0 ? cut.withoutSamples : cut)
            }
            let last = [end, present == .max ? nil : present, frameCount].compactMap(\.self).min()
            return FrameRange(start: start, count: last.map { $0 - start }, isTruncated: true)
        }
        guard let segment = clip.segment else {
            self = try range(0, cut == nil ? frameCount : nil)
            return
        }
        let length = (cut == nil ? frameCount.map { Double($0) / rate } : cut?.promised) ?? .infinity
        guard segment.start < length else { throw .segmentStartsLate(start: segment.start, length: length) }
        if let end = segment.end, end > length + ClipDecoder.endTolerance {
            throw .segmentEndsLate(end: end, length: length)
        }
        // Bounded far past any recording, against overflow.
        func frame(_ seconds: Double) -> Int { Int(min((seconds * rate).rounded(), 0x1p60)) }
        let start = frame(segment.start)
        let all = cut == nil ? frameCount : cut?.promised.map(frame)
        let end = segment.end.map { min(frame($0), all ?? .max) } ?? (cut == nil ? frameCount : nil)
        if let end, end - start < 1 {
            throw .segmentWithoutSamples(seconds: (segment.end ?? length) - segment.start, sampleRate: file.sampleRate)
        }
        self = try range(start, end)
    }

    /// Whether the clip is shorter than it should be, after `read` frames.
    ///
    /// - Throws: `ClipFailure` where that is not allowed.
    func isTruncated(_ file: any SampleSource, read: Int, _ policy: RecordingPolicy) throws(ClipFailure) -> Bool {
        let isShort = count.map { read < $0 } ?? false
        if let cut = file.earlyEnd ?? file.cutOff, isShort || file.earlyEnd != nil {
            guard policy.truncated == .keep else { throw .cutOff(cut) }
            guard read > 0 else { throw .cutOff(start == 0 ? cut.withoutSamples : cut) }
            return true
        }
        guard let promised = count, isShort else { return isTruncated }
        guard !file.isFrameCountEstimated else {
            throw .segmentEndsLate(end: nil, length: Double(start + read) / Double(file.sampleRate))
        }
        throw .missingSamples(promised: promised, found: read)
    }
}

extension ClipDecoder {
    /// How far past the end of its recording a segment may end, in seconds: times may be rounded to milliseconds.
    package static let endTolerance = 0.001
}
