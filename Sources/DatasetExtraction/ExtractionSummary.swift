import FeatureModel
import FeatureStorage

/// The result of an extraction.
package struct ExtractionSummary: Hashable, Sendable {
    /// Whether the file existed, made from the same configuration, manifest and recordings.
    package let wasUpToDate: Bool
    /// Path of the feature file.
    package let output: String
    /// Stored clips.
    package let clips: Int
    /// Failed clips.
    package let failures: Int
    /// The first failures, for a message.
    package let firstFailures: [StoredFailure]
    /// Rows of the tensor.
    package let rows: Int
    /// Values in a row.
    package let bins: Int
    /// Size of the file in bytes.
    package let bytes: Int
    /// Seconds of audio in the stored clips; nil if nothing was read.
    package let audioSeconds: Double?
    /// Seconds that it took.
    package let elapsedSeconds: Double
    /// The patches that rows are grouped into; nil: they are not.
    package var patch: PatchShape?
    /// The channels of a row, where the tensor has an axis for them.
    package var channels: Int?
    /// Clips that were copied from an existing file.
    package var keptClips = 0
    /// The changes that made the file agree with its manifest; nil: it does not follow one.
    package var changes: SyncChanges?
    /// Clips that an interrupted run had done, failed ones included.
    package var resumedClips = 0
    /// Seconds of audio in those.
    package var resumedAudioSeconds = 0.0
    /// What was read of the clips' recordings and not used.
    package var account = Account()
    /// Warnings about the run, one sentence each.
    package var warnings: [String] = []
}
