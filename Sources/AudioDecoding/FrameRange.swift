import FeatureModel

/// The frames of a recording that a clip covers.
struct FrameRange {
    let start: Int
    /// Nil: to the end.
    let count: Int?
    /// Whether the recording is cut off before the clip's end.
    private(set) var isTruncated = false
    /// How many frames may be missing at the end of a recording whose length is an estimate.
    private var tolerance = 0

    private init(start: Int, count: Int?, isTruncated: Bool = false) {
        (self.start, self.count, self.isTruncated) = (start, count, isTruncated)
    }

    /// The length of a recording in seconds by its header, that it should have where it is cut off; infinite: not known.
    static func length(of file: any SampleSource) -> Double {
        if let cut = file.cutOff { return cut.promised ?? .infinity }
        let frames = file.isFrameCountEstimated ? nil : file.frameCount
        return frames.map { Double($0) / Double(file.sampleRate) } ?? .infinity
    }

    /// Finds them by the header. Nothing is refused because of an estimated length. A clip before the cut of a recording is whole.
    ///
    /// - Parameters:
    ///   - segment: The part of the recording; nil: all of it.
    ///   - overshoot: By how much a segment may end after its recording, in seconds; nil: as the manifest says.
    /// - Throws: `ClipFailure` where the recording does not have them, or is cut off before and that is not allowed.
    init(
        of segment: Segment?, in file: any SampleSource, overshoot: Double?, _ policy: RecordingPolicy
    ) throws(ClipFailure) {
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
        guard let segment else {
            self = try range(0, cut == nil ? frameCount : nil)
            return
        }
        let length = Self.length(of: file)
        try segment.check(length: length, rate: file.sampleRate, configured: overshoot)
        // Bounded far past any recording, against overflow.
        func frame(_ seconds: Double) -> Int { Int(min((seconds * rate).rounded(), 0x1p60)) }
        let start = frame(segment.start)
        let all = cut == nil ? frameCount : cut?.promised.map(frame)
        let end = segment.end.map { min(frame($0), all ?? .max) } ?? (cut == nil ? frameCount : nil)
        if let end, end - start < 1 {
            throw .segmentWithoutSamples(seconds: (segment.end ?? length) - segment.start, sampleRate: file.sampleRate)
        }
        self = try range(start, end)
        let tolerance = segment.endTolerance(configured: overshoot)
        self.tolerance = frame(segment.isLengthAlone ? max(tolerance, Segment.lengthTolerance) : tolerance)
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
            guard read == 0 || promised - read > tolerance else { return isTruncated }
            throw .segmentEndsLate(end: nil, length: Double(start + read) / Double(file.sampleRate))
        }
        throw .missingSamples(promised: promised, found: read)
    }
}
