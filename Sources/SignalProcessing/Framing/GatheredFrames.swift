/// Copies of frames, for a batch whose frames do not come at once.
final class GatheredFrames {
    private let length: Int
    private let capacity: Int
    private let stride: Int
    /// Frames, each followed by its rest if it has one.
    private let samples: FloatBuffer
    private let rest: Int?
    private var count = 0

    /// - Parameters:
    ///   - count: Frames of a batch.
    ///   - length: Samples of a frame.
    ///   - hasRest: Whether samples have a rest.
    /// - Throws: `SignalError.outOfMemory`.
    init(count: Int, length: Int, hasRest: Bool) throws(SignalError) {
        self.length = length
        capacity = count
        // An odd number of cache lines, so that frames do not compete for the same few cache sets; loops read past their ends.
        let part = ((length + 3 + 15) / 16 | 1) * 16
        rest = hasRest ? part : nil
        stride = hasRest ? 2 * part + 16 : part
        // A batch of one never waits.
        samples = try FloatBuffer(count: count > 1 ? count * stride : 0)
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == capacity }
    /// The frames, valid until others are appended after `removeAll`.
    var frames: FrameRun { FrameRun(first: UnsafePointer(samples.pointer), stride: stride, count: count, rest: rest) }

    /// Appends the first frame of a run.
    ///
    /// - Precondition: There are fewer than `capacity` frames.
    func append(_ frames: FrameRun) {
        precondition(count < capacity, "a batch has space for its frames")
        let target = samples.pointer + count * stride
        target.update(from: frames.first, count: length)
        if let rest, let distance = frames.rest { (target + rest).update(from: frames.first + distance, count: length) }
        count += 1
    }

    func removeAll() { count = 0 }
}
