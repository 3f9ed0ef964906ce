/// A failure as stored in a spool or feature file: stage, kind and sentence, without the payload.
public struct FailureRecord: Hashable, Sendable {
    /// The step that failed.
    public let stage: ClipFailure.Stage
    /// A `ClipFailure.Kind`, or a kind of a later version; nil: a file of format 1.0, which has no kinds.
    public let kind: String?
    /// What was expected and what was found, in a sentence without a path.
    public let reason: String

    /// Keeps the values.
    public init(stage: ClipFailure.Stage, kind: String?, reason: String) {
        self.stage = stage
        self.kind = kind
        self.reason = reason
    }

    /// The record of a failure.
    public init(_ failure: ClipFailure) {
        self.init(stage: failure.stage, kind: failure.kind.rawValue, reason: failure.reason)
    }

    /// Whether the clip may succeed without a change of the recording. Without a known kind, every failure before the
    /// first sample was converted may.
    public var isTransient: Bool {
        kind.flatMap(ClipFailure.Kind.init(rawValue:))?.isTransient ?? (stage == .open || stage == .decode)
    }

    /// Whether both record the same failure: the sentence stands for the payload; a record of format 1.0 has no kind to compare.
    public func isSame(as other: FailureRecord) -> Bool {
        stage == other.stage && reason == other.reason && (kind == nil || other.kind == nil || kind == other.kind)
    }
}

extension FailureRecord: CustomStringConvertible {
    /// `decode: expected finite samples, found nan at sample 6000`
    public var description: String { "\(stage.rawValue): \(reason)" }
}
