import FeatureModel

/// A recording could not be read, and the system was at fault: nothing is known of the recording.
package struct InputFault: Error, Hashable, Sendable {
    /// The recording's path, as the manifest gives it.
    package let path: String
    /// What the system said.
    package let reason: String

    /// Keeps the values.
    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

extension InputFault: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        "\(path): \(reason): this says nothing of the recording, so the run ends here"
    }
}

extension InputFault: SystemFaultReporting {
    package var isSystemFault: Bool { true }
}
