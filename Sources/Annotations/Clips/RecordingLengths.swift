import FeatureModel

/// Lengths and sample rates of recordings, by their headers.
package struct RecordingLengths: Sendable {
    package struct Recording: Sendable {
        /// In nanoseconds.
        let length: Int
        package let sampleRate: Int
        let channels: Int
        /// In what it is not what its own header says.
        let remarks: RecordingRemarks
        /// That it is cut off, as other commands say it: the length is that of what can be read. Nil: it is whole.
        let cut: String?

        var isCut: Bool { cut != nil }

        /// - Parameter length: In seconds.
        package init(
            length: Double, sampleRate: Int, channels: Int, remarks: RecordingRemarks = [], cut: String? = nil
        ) {
            self.length = Nanoseconds.of(length)
            (self.sampleRate, self.channels) = (sampleRate, channels)
            (self.remarks, self.cut) = (remarks, cut)
        }
    }

    /// By location: what the header says, or why it cannot be read.
    package let recordings: [String: Result<Recording, ClipFailure>]

    package init(_ recordings: [String: Result<Recording, ClipFailure>]) { self.recordings = recordings }
}
