/// Why a clip has no features: at which step, and the reason in words.
public struct ClipFailure: Error, Hashable, Sendable {
    /// The step of a clip's way at which it failed.
    public enum Stage: String, CaseIterable, Codable, Sendable {
        /// Opening the file and reading its header.
        case open
        /// Reading samples.
        case decode
        /// Choosing channels, resampling.
        case condition
        /// Framing and transforming.
        case transform
        /// Storing.
        case store
    }

    /// The step.
    public let stage: Stage
    /// What was expected and what was found, in a sentence without a path.
    public let reason: String
    /// Whether the machine is at fault, not the recording: no descriptors or memory left, a file server gone. The same clip
    /// may succeed a moment later, so a run ends on it instead of noting it.
    public let isOfMachine: Bool

    /// Whether the system, not what it read, gave the reason: another time the clip may well succeed.
    public var mayPass: Bool { stage == .open || reason.hasPrefix(Self.unreadable) }

    /// How reasons begin that the system gave.
    public static let unreadable = "cannot read the file: "

    /// Keeps the values.
    public init(_ stage: Stage, _ reason: String, isOfMachine: Bool = false) {
        self.stage = stage
        self.reason = reason
        self.isOfMachine = isOfMachine
    }
}

extension ClipFailure: CustomStringConvertible {
    /// `decode: sample 6000 is not a number`
    public var description: String { "\(stage.rawValue): \(reason)" }
}
