import FeatureModel

/// The result of the extraction of a shard.
package struct ShardSummary: Hashable, Sendable {
    /// The shard.
    package let shard: Shard
    /// The path of its folder.
    package let folder: String
    /// Whether it was done before.
    package let wasDone: Bool
    /// Whether the output exists, made from the same manifest and configuration, so that there is nothing to do.
    package let isInOutput: Bool
    /// Clips of the shard.
    package let clips: Int
    /// Those among them that have failed.
    package let failures: Int
    /// Clips that earlier attempts had done.
    package let resumedClips: Int
    /// Seconds that it took.
    package let elapsedSeconds: Double
    /// What was read of the clips' recordings and not used; where the output exists, of all its clips.
    package var account = Account()
}
