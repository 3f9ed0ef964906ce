import FeatureModel

/// A row of `/failures`.
public struct StoredFailure: Hashable, Sendable {
    /// Unique name.
    public let id: String
    /// Path of the recording, as the manifest gives it.
    public let path: String
    /// Step, kind and reason.
    public let failure: FailureRecord

    /// Keeps the values.
    public init(id: String, path: String, failure: FailureRecord) {
        self.id = id
        self.path = path
        self.failure = failure
    }
}
