import FeatureModel

/// A row of `/clips`. The values of its measurement can be named without it: `clip.duration`.
@dynamicMemberLookup
public struct StoredClip: Hashable, Sendable {
    /// Unique name.
    public let id: String
    /// Path of the recording, as the manifest gives it.
    public let path: String
    /// Label; empty: none.
    public let label: String
    /// Split; empty: none.
    public let split: String
    /// Index of the label in the file's list of labels; −1: no label.
    public let labelIndex: Int
    /// Rate, channels, start and duration in the recording, and what was wrong with it.
    public let measurement: ClipMeasurement
    /// The channel, from 0, that the manifest named for the clip; nil: as configured.
    public let channel: Int?
    /// First row in `/features`; where rows are grouped into patches, in the rows of all patches one after another. Of a set,
    /// counted through all of its files.
    public internal(set) var frameStart: Int
    /// Number of rows, counted like `frameStart`.
    public let frameCount: Int
    /// The rows in `/features`: of a clip that was read from a file, they lie in its tensor.
    package var rows: Range<Int> { frameStart..<frameStart + frameCount }
    /// Number of rows that were computed: before rows were added after normalisation, and before they were grouped into patches.
    public let computedRows: Int
    /// XXH3-128 of the decoded samples, hexadecimal.
    public let audioChecksum: String
    /// XXH3-128 of the stored rows, hexadecimal.
    public let tensorChecksum: String
    /// The manifest's other columns, in the file's order.
    public let extra: [String]
    /// Indices, in the file's list of labels, of all labels of the clip, ascending; nil: the manifest had no column `labels`.
    public let labelIndices: [Int]?
    /// XXH3-128 of the labels of the clip's frames, hexadecimal; empty: frames have none.
    public package(set) var frameLabelChecksum: String

    /// Keeps the values.
    public init(
        id: String, path: String, label: String, split: String, labelIndex: Int, measurement: ClipMeasurement,
        channel: Int? = nil, frameStart: Int, frameCount: Int, computedRows: Int? = nil, audioChecksum: String,
        tensorChecksum: String, extra: [String], labelIndices: [Int]? = nil, frameLabelChecksum: String = ""
    ) {
        self.id = id
        self.path = path
        self.label = label
        self.split = split
        self.labelIndex = labelIndex
        self.measurement = measurement
        self.channel = channel
        self.frameStart = frameStart
        self.frameCount = frameCount
        self.computedRows = computedRows ?? frameCount
        self.audioChecksum = audioChecksum
        self.tensorChecksum = tensorChecksum
        self.extra = extra
        self.labelIndices = labelIndices
        self.frameLabelChecksum = frameLabelChecksum
    }

    /// A value of the measurement.
    public subscript<Value>(dynamicMember path: KeyPath<ClipMeasurement, Value>) -> Value { measurement[keyPath: path] }
}

/// The values of a stored clip that summaries need. Those of its measurement can be named without it: `figures.duration`.
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
