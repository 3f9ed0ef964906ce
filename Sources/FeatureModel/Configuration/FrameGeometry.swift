/// The lengths of frames in samples, with the sample rate known.
public struct FrameGeometry: Hashable, Sendable {
    /// Samples in a frame and in its window; at least 1.
    public let length: Int
    /// Samples from a frame to the next; at least 1.
    public let hop: Int
    /// Samples in the transform; at least `length`.
    public let fftLength: Int

    init(length: Int, hop: Int, fftLength: Int) {
        self.length = length
        self.hop = hop
        self.fftLength = fftLength
    }

    /// The least power of two that is not less than `count`.
    static func nextPowerOfTwo(atLeast count: Int) -> Int {
        var power = 1
        while power < count { power <<= 1 }
        return power
    }
}
