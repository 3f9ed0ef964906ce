import FeatureModel

extension DeclaredRecording {
    /// A duration as the column `recording.duration` has it.
    ///
    /// - Parameter isRequired: Whether a recording of another duration is the wrong one.
    package static func text(_ seconds: Double, isRequired: Bool) -> String { "\(seconds)" + (isRequired ? "" : "?") }

    /// Its duration as the column `recording.duration` has it; nil: none is given.
    package var durationText: String? { duration.map { Self.text($0, isRequired: requiresDuration) } }
}
