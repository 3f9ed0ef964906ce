/// What a manifest says of a recording as a whole, and the recording has to have.
package struct DeclaredRecording: Hashable, Sendable {
    /// Length in seconds; nil: not given.
    package let duration: Double?
    /// Number of samples in each channel; nil: not given.
    package let sampleCount: Int?
    /// Sample rate in Hz; nil: not given.
    package let sampleRate: Int?

    /// By how much the length may differ, in seconds, as in lhotse.
    package static let tolerance = 0.025

    /// Nil: nothing is given.
    package init?(duration: Double?, sampleCount: Int?, sampleRate: Int?) {
        guard duration != nil || sampleCount != nil || sampleRate != nil else { return nil }
        (self.duration, self.sampleCount, self.sampleRate) = (duration, sampleCount, sampleRate)
    }

    /// Compares it with a recording.
    ///
    /// - Parameters:
    ///   - rate: In Hz.
    ///   - frames: Number of samples in each channel; nil: not known, or the recording is cut off.
    /// - Throws: `ClipFailure.declaredRate` or `declaredLength`.
    package func check(rate: Int, frames: Int?) throws(ClipFailure) {
        if let sampleRate, sampleRate != rate { throw .declaredRate(declared: sampleRate, found: rate) }
        guard let frames else { return }
        let found = Double(frames) / Double(rate)
        for declared in [sampleCount.map { Double($0) / Double(rate) }, duration].compactMap(\.self)
        where abs(declared - found) > Self.tolerance {
            throw .declaredLength(declared: declared, found: found)
        }
    }
}
