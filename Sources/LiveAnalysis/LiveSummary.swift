import FeatureModel

/// The result of a live analysis.
package struct LiveSummary: Sendable {
    /// An input. What was found at its end can be named without it: `track.failure`.
    @dynamicMemberLookup
    package struct Track: Sendable {
        /// What it is called.
        package let name: String
        /// Seconds of audio that were analysed.
        package let seconds: Double
        /// Rows that were computed.
        package let rows: Int
        /// What was found at its end.
        let end: LiveTrack.End

        package subscript<Value>(dynamicMember path: KeyPath<LiveTrack.End, Value>) -> Value { end[keyPath: path] }
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
        /// The patches that rows are grouped into; nil: they are not.
        package let patch: PatchShape?
    }

    /// The inputs.
    package let tracks: [Track]
    /// The feature file; nil: none was asked for.
    package let file: File?
}
