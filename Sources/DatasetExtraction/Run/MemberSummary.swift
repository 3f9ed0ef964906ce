import FeatureModel

/// The result of writing one file of a set.
package struct MemberSummary: Hashable, Sendable {
    /// The file.
    package let member: SetMember
    /// Its path.
    package let path: String
    /// Whether it was there before.
    package let wasDone: Bool
    /// Its clips.
    package let clips: Int
    /// Its failed clips.
    package let failures: Int
    /// Rows of its tensor.
    package let rows: Int
    /// Its size in bytes.
    package let bytes: Int
    /// The path of the index; nil: other files of the set are not there yet.
    package let index: String?
    /// Why the files do not form a set although all are there; nil: they do, or not all are there.
    package let obstacle: SetObstacle?
    /// What could not be deleted, in words; nil: nothing is left.
    package let warning: String?
    /// Seconds that it took.
    package let elapsedSeconds: Double
    /// What was read of its clips' recordings and not used.
    package let account: Account
}
