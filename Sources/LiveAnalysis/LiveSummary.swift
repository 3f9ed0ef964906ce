import FeatureModel

/// The result of a live analysis.
package struct LiveSummary: Sendable {
    /// An input.
    package struct Track: Sendable {
        /// What it is called.
        package let name: String
        /// Seconds of audio that were analysed.
        package let seconds: Double
        /// Rows that were computed.
        package let rows: Int
        /// Bytes at its end that were no whole sample of every channel.
        package let strayBytes: Int
        /// Samples that had to be cut to full scale on their way to standard output.
        package let clippedSamples: Int
        /// Why it ended before its time; nil: it did not.
        package let failure: (any Error)?
        /// What the recording lacked at its end; nil: nothing.
        package var cutOff: CutOff?
        /// Samples that were infinite or not a number and became 0.
        package var zeroedSamples = 0
    }

    /// The feature file.
    package struct File: Sendable {
        /// Where it is.
        package let path: String
        /// Clips in it.
        package let clips: Int
        /// Rows in it.
        package let rows: Int
        /// Values in a row.
        package let bins: Int
        /// Its length.
        package let bytes: Int
        /// Inputs that are not in it, a sentence each.
        package let failures: [String]
        /// What is likely not meant, a sentence each.
        package let warnings: [String]
    }

    /// The inputs.
    package let tracks: [Track]
    /// The feature file; nil: none was asked for.
    package let file: File?
}
