/// What a manifest says of a recording as a whole.
package struct DeclaredRecording: Hashable, Sendable {
    /// Length in seconds; nil: not given.
    package let duration: Double?
    /// Number of samples in each channel; nil: not given.
    package let sampleCount: Int?
    /// Sample rate in Hz; nil: not given.
    package let sampleRate: Int?
    /// Whether a recording of another duration is the wrong one; otherwise the clip gets a remark.
    package let requiresDuration: Bool

    /// By how much a length that a recording has to have may differ, in seconds, as in lhotse.
    package static let tolerance = 0.025
    /// The same for a length that it need not have: some programs count the samples that encoders add at the ends.
    package static let looseTolerance = 0.1

    /// Nil: nothing is given.
    package init?(duration: Double?, sampleCount: Int?, sampleRate: Int?, requiresDuration: Bool = true) {
        guard duration != nil || sampleCount != nil || sampleRate != nil else { return nil }
        (self.duration, self.sampleCount, self.sampleRate) = (duration, sampleCount, sampleRate)
        self.requiresDuration = requiresDuration
    }

    /// See `Clip.checkDeclared`.
    @discardableResult
    package func check(rate: Int, frames: Int?) throws(ClipFailure) -> RecordingRemarks {
        if let sampleRate, sampleRate != rate { throw .declaredRate(declared: sampleRate, found: rate) }
        guard let frames else { return [] }
        let found = Double(frames) / Double(rate)
        let required = [sampleCount.map { Double($0) / Double(rate) }, requiresDuration ? duration : nil]
        for declared in required.compactMap(\.self)
        where abs(declared - found) > Self.tolerance + Segment.decimalRounding {
            throw .declaredLength(declared: declared, found: found)
        }
        guard !requiresDuration, let duration, abs(duration - found) > Self.looseTolerance + Segment.decimalRounding
        else { return [] }
        return .lengthsDiffer
    }
}

extension Clip {
    /// Compares a recording with what the manifest says of it.
    ///
    /// - Parameters:
    ///   - rate: In Hz.
    ///   - frames: Number of samples in each channel; nil: not known, or the recording is cut off.
    /// - Returns: The differences that do not make the clip fail.
    /// - Throws: `ClipFailure.declaredRate` or `declaredLength` for a difference that makes it fail.
    package func checkDeclared(rate: Int, frames: Int?) throws(ClipFailure) -> RecordingRemarks {
        try declared?.check(rate: rate, frames: frames) ?? []
    }

    /// The remarks on the clip's end if the clip lasts `duration` seconds and its recording is not cut off.
    package func remarks(lasting duration: Double) -> RecordingRemarks {
        segment?.isCut(toLast: duration) == true ? .endsCut : []
    }
}
