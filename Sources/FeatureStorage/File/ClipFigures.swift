import FeatureModel

/// The figures of a stored clip. The values of its measurement can be named without it: `figures.duration`.
@dynamicMemberLookup
public struct ClipFigures: Hashable, Sendable {
    /// Index of the label in the file's list of labels; −1: no label.
    public let labelIndex: Int
    /// Split; empty: none.
    public let split: String
    /// Number of rows.
    public let frameCount: Int
    /// Rate, channels, start and duration in the recording, and what was wrong with it.
    public let measurement: ClipMeasurement

    /// A value of the measurement.
    public subscript<Value>(dynamicMember path: KeyPath<ClipMeasurement, Value>) -> Value { measurement[keyPath: path] }
}
