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
    /// Seconds that it took.
    package let elapsedSeconds: Double
}
