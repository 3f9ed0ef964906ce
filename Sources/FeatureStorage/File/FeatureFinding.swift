import FileIO

/// A contradiction that `FeatureReader.verify` has found.
public struct FeatureFinding: Hashable, Sendable, CustomStringConvertible {
    /// The id of the clip it is about; nil: the file as a whole.
    public let clip: String?
    /// What was expected and what was found; in a set, after the name of the file.
    public let description: String

    init(clip: String?, description: String) { (self.clip, self.description) = (clip, description.withoutMiddle) }
}
