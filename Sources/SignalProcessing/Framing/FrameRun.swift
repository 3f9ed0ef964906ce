/// Consecutive frames of a signal in memory, valid for a limited time. Up to three samples after the last one can be read.
struct FrameRun {
    /// The first sample of the first frame.
    private(set) var first: UnsafePointer<Float>
    /// Distance of two frames, in samples.
    let stride: Int
    /// Number of frames.
    private(set) var count: Int
    /// Distance from each sample to its rest (see `SignalConditioner.rest`); nil: samples have none.
    let rest: Int?

    init(first: UnsafePointer<Float>, stride: Int, count: Int, rest: Int? = nil) {
        (self.first, self.stride, self.count, self.rest) = (first, stride, count, rest)
    }

    /// Removes the first `number` frames, and returns them.
    ///
    /// - Precondition: There are as many.
    @inline(__always)
    mutating func take(_ number: Int) -> FrameRun {
        precondition(number <= count, "only frames that are there can be taken")
        let taken = FrameRun(first: first, stride: stride, count: number, rest: rest)
        first += number * stride
        count -= number
        return taken
    }

    /// Frame `index`.
    subscript(index: Int) -> UnsafePointer<Float> { first + index * stride }
}
